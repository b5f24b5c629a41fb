// natives: none
// Makes the process object.
'use strict';

require('internal/process/object');

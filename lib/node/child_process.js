// natives: none
'use strict';

module.exports = require('internal/child_process/child_process');

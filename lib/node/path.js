// natives: none
'use strict';

module.exports = require('internal/path/path');

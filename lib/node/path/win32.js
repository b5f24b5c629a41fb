// natives: none
// node:path/win32
'use strict';

module.exports = require('internal/path/path').win32;

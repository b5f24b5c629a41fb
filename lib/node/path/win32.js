// natives: none
// node:path/win32
'use strict';

module.exports = require('path').win32;

// natives: none
// node:path/posix
'use strict';

module.exports = require('internal/path/path').posix;

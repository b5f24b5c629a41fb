// natives: none
'use strict';

module.exports = require('internal/wasi/wasi');

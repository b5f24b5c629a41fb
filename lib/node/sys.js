// natives: none
//
// node:sys, the old name of node:util.

'use strict';

process.emitWarning('sys is deprecated. Use `node:util` instead.', 'DeprecationWarning', 'DEP0025');
module.exports = require('internal/util/util');

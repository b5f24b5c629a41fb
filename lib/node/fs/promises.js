// natives: none
//
// node:fs/promises, the same object as require('internal/fs/fs').promises.

'use strict';

module.exports = require('internal/fs/promises').exports;

// natives: none
//
// node:fs/promises, the same object as require('fs').promises.

'use strict';

module.exports = require('internal/fs/promises').exports;

// natives: none
// node:constants (deprecated): the constants of os, fs and crypto in one frozen object.
'use strict';

const { dlopen, errno, priority, signals } = require('internal/os/os').constants;

// Hints for opening files that have a meaning on Windows alone.
const elsewhere = { UV_FS_O_TEMPORARY: 0, UV_FS_O_SHORT_LIVED: 0, UV_FS_O_SEQUENTIAL: 0, UV_FS_O_RANDOM: 0 };

module.exports = Object.freeze(
  Object.assign({}, dlopen, errno, priority, signals, require('internal/fs/fs').constants, elsewhere, require('internal/crypto/constants')),
);

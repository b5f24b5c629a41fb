// natives: none
// node:constants (deprecated): the constants of os, fs and crypto in one frozen object.
'use strict';

const { dlopen, errno, priority, signals } = require('os').constants;

module.exports = Object.freeze(Object.assign(
  {}, dlopen, errno, priority, signals, require('fs').constants, require('internal/crypto/constants')));

// natives: none
// The error of a function of WASI: one of its numbers.
'use strict';

const { errors } = require('internal/wasi/constants');

class WasiError extends Error {
  constructor(number) {
    super(`WASI error ${number}`);
    this.number = number;
  }
}

function fail(name) {
  throw new WasiError(errors[name]);
}

// Of a system call's error: its number, below zero, as a native answers it.
function failWith(negative) {
  const { getSystemErrorName } = require('internal/util/util');
  throw new WasiError(errors[getSystemErrorName(negative)] ?? errors.EIO);
}

// The number of whatever was thrown; undefined for what is no error of a system call.
function numberOf(error) {
  if (error instanceof WasiError) return error.number;
  if (error?.code === 'ERR_ACCESS_DENIED') return errors.EACCES;
  if (typeof error?.errno !== 'number') return undefined;
  return errors[error.code] ?? errors.EIO;
}

module.exports = { WasiError, fail, failWith, numberOf };

// natives: none
//
// process.debugPort: the port of the inspector as the command line has it, or as the program has set it for its children.

'use strict';

const kDefault = 9229;
const kLeast = 1024;
const kMost = 65535;

let port;

function get() {
  if (port !== undefined) return port;
  const { getOptionValue } = require('internal/process/options');
  const address = getOptionValue('--inspect-port');
  if (!address) return kDefault;
  return Number(stringSlice.call(address, stringLastIndexOf.call(address, ':') + 1));
}

function set(value) {
  if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a number');
  const number = Math.trunc(Number(value));
  const wanted = number >= -Number.MAX_SAFE_INTEGER && number <= Number.MAX_SAFE_INTEGER ? number : 0;
  if (wanted !== 0 && (wanted < kLeast || wanted > kMost)) {
    throw new RangeError(`process.debugPort must be 0 or in range ${kLeast} to ${kMost}`);
  }
  port = wanted;
}

module.exports = { get, set };

// natives: none
// Errors of node:sqlite as Node's C++ throws them: a plain Error class with `code`, and a sentence that does not tell what was received.
'use strict';

function withCode(error, code) {
  error.code = code;
  return error;
}

const typeError = (message) => withCode(new TypeError(message), 'ERR_INVALID_ARG_TYPE');
const valueError = (message) => withCode(new TypeError(message), 'ERR_INVALID_ARG_VALUE');
const rangeError = (message) => withCode(new RangeError(message), 'ERR_OUT_OF_RANGE');

function requireType(value, type, name) {
  if (typeof value === type) return value;
  throw typeError(`The "${name}" argument must be a ${type}.`);
}

function requireObject(value, name) {
  const type = typeof value;
  if ((type === 'object' && value !== null) || type === 'function') return value;
  throw typeError(`The "${name}" argument must be an object.`);
}

// A boolean, string or function of `options`, or `otherwise` when it is not there.
function option(options, key, type, otherwise) {
  const value = options[key];
  return value === undefined ? otherwise : requireType(value, type, `options.${key}`);
}

function integerOption(options, key, otherwise) {
  const value = options[key];
  if (value === undefined) return otherwise;
  if (typeof value === 'number' && (value | 0) === value) return value;
  throw typeError(`The "options.${key}" argument must be an integer.`);
}

module.exports = { withCode, typeError, valueError, rangeError, requireType, requireObject, option, integerOption };

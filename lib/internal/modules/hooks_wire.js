// natives: none
//
// Messages between a program and the process that runs its asynchronous module
// hooks (module.register): a length, then a structured clone. Errors cross with
// what programs look at: class, message, stack, code and other own properties.

'use strict';

const { Buffer } = require('internal/buffer/buffer');

const kLengthBytes = 4;

function frame(message) {
  const body = require('internal/v8/v8').serialize(message);
  const length = Buffer.alloc(kLengthBytes);
  length.writeUInt32LE(body.length);
  return Buffer.concat([length, body]);
}

const nativeErrors = { __proto__: null, Error, TypeError, RangeError, SyntaxError, ReferenceError, URIError, EvalError };

function constructorOf(error) {
  for (let at = error; at !== null; at = Object.getPrototypeOf(at)) {
    const name = Object.hasOwn(at, 'constructor') ? at.constructor?.name : undefined;
    if (nativeErrors[name] !== undefined) return name;
  }
  return 'Error';
}

function isCloneable(value) {
  return value === null || (typeof value !== 'function' && typeof value !== 'symbol' && typeof value !== 'object');
}

function packError(error) {
  if (typeof error === 'symbol') return { symbol: error.description };
  if (!(error instanceof Error)) {
    try {
      require('internal/v8/v8').serialize(error);
      return { value: error };
    } catch {
      return { shown: require('internal/util/util').inspect(error) };
    }
  }
  const properties = {};
  for (const name of each(Object.getOwnPropertyNames(error))) {
    if (isCloneable(error[name])) properties[name] = { value: error[name], enumerable: objectPropertyIsEnumerable.call(error, name) };
  }
  properties.stack = { value: `${error.stack}`, enumerable: false };
  if (error.code !== undefined && isCloneable(error.code)) properties.code ??= { value: error.code, enumerable: true };
  return { error: constructorOf(error), name: error.name, properties };
}

// Keeps the looks of what could not cross.
function likeness(shown) {
  return { [require('internal/util/util').inspect.custom]: () => shown };
}

function unpackError({ symbol, shown, value, error, name, properties }) {
  if (symbol !== undefined) return Symbol(symbol);
  if (shown !== undefined) return likeness(shown);
  if (error === undefined) return value;
  const made = new nativeErrors[error]();
  if (made.name !== name) properties.name ??= { value: name, enumerable: false };
  for (const key of each(Object.keys(properties))) {
    Object.defineProperty(made, key, { __proto__: null, ...properties[key], writable: true, configurable: true });
  }
  return made;
}

module.exports = { frame, kLengthBytes, packError, unpackError };

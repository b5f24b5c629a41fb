// natives: none
// Errors on their way from a file's process to the process that reports: with their class, stack, own and inherited fields, and causes.
// Values that cannot be copied arrive as their text.
'use strict';

const kConstructors = { __proto__: null, Error, TypeError, RangeError, URIError, SyntaxError, ReferenceError, EvalError };
const kMark = 'rondo.error';

const isError = (value) => require('internal/util/types').isNativeError(value) || value instanceof Error;

// The nearest class that the other process has too.
function constructorOf(error) {
  for (let object = error; object !== null; object = Object.getPrototypeOf(object)) {
    const name = Object.getOwnPropertyDescriptor(object, 'constructor')?.value?.name;
    if (name !== undefined && kConstructors[name]?.prototype === object) return name;
  }
  return 'Error';
}

const inspect = (value) => require('internal/util/inspect').inspect(value);

function copyValue(value, seen) {
  if (typeof value === 'symbol') return { mark: kMark, text: symbolToString.call(value) };
  if (typeof value !== 'object' || value === null) return value;
  if (isError(value)) return serializeError(value, seen);
  try {
    if (typeof value[Symbol.for('nodejs.util.inspect.custom')] === 'function') return { mark: kMark, text: inspect(value) };
  } catch {
    // An inspection that throws: the object is copied as it is.
  }
  try {
    const { serialize } = require('internal/v8/v8');
    serialize(value);
    return value;
  } catch {
    return { mark: kMark, text: inspect(value) };
  }
}

// Own fields and those of the classes between it and Error.prototype.
function fieldsOf(error, seen) {
  const fields = new Map();
  for (
    let object = error;
    object !== null && object !== Error.prototype && object !== Object.prototype;
    object = Object.getPrototypeOf(object)
  ) {
    for (const key of each(Reflect.ownKeys(object))) {
      if (typeof key !== 'string' || key === 'constructor' || fields.has(key)) continue;
      const { enumerable } = Object.getOwnPropertyDescriptor(object, key);
      try {
        const value = error[key];
        if (typeof value !== 'function') fields.set(key, { value: copyValue(value, seen), enumerable });
      } catch {
        // A getter that throws has nothing to tell.
      }
    }
  }
  return fields;
}

function serializeError(error, seen = new Set()) {
  if (!isError(error)) return copyValue(error, seen);
  if (seen.has(error)) return { mark: kMark, text: '[Circular object]' };
  const around = new Set(seen);
  around.add(error);
  const fields = [];
  for (const {
    0: key,
    1: { value, enumerable },
  } of eachEntry(fieldsOf(error, around))) {
    arrayPush.call(fields, { key, value, enumerable });
  }
  return { mark: kMark, constructor: constructorOf(error), fields };
}

function deserializeError(copy) {
  if (copy?.mark !== kMark) return copy;
  if (copy.fields === undefined) return new CopiedText(copy.text);
  const error = new kConstructors[copy.constructor]();
  delete error.stack;
  for (const { key, value, enumerable } of each(copy.fields)) {
    Object.defineProperty(error, key, { __proto__: null, value: deserializeError(value), enumerable, writable: true, configurable: true });
  }
  return error;
}

// Prints as what it stands for.
class CopiedText {
  #text;
  constructor(text) {
    this.#text = text;
  }
  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.#text;
  }
  toString() {
    return this.#text;
  }
}

module.exports = { deserializeError, serializeError };

// natives: none
// An uncaught error on its way to another thread: structured clone keeps too little of it (no code, no class of its own), so
// its properties are packed one by one. What cannot be cloned arrives as the text that util.inspect shows.
'use strict';

const kErrors = { __proto__: null, AggregateError, Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
const kInspect = Symbol.for('nodejs.util.inspect.custom');

// The nearest class of the language.
function builtinName(error) {
  for (let proto = error; proto !== null; proto = Object.getPrototypeOf(proto)) {
    const own = Object.getOwnPropertyDescriptor(proto, 'constructor')?.value;
    if (typeof own === 'function' && kErrors[own.name] === own) return own.name;
  }
  return 'Error';
}

function propertyOf(object, key) {
  try {
    return object[key];
  } catch {
    return undefined;
  }
}

function packError(error, seen) {
  const properties = [];
  const names = new Set(Object.getOwnPropertyNames(error));
  for (const name of each(['name', 'message', 'stack'])) names.add(name);
  seen.push(error);
  for (const name of each(names)) {
    if (name === 'line' || name === 'column' || name === 'sourceURL') continue;
    const value = propertyOf(error, name);
    if (typeof value === 'function' || value === undefined) continue;
    const isOwn = Object.hasOwn(error, name);
    const enumerable = isOwn && Object.prototype.propertyIsEnumerable.call(error, name);
    properties.push([name, pack(value, seen), enumerable]);
  }
  return { kind: 'error', builtin: builtinName(error), properties };
}

function pack(value, seen = []) {
  if (value instanceof Error && !seen.includes(value)) return packError(value, seen);
  if (typeof value === 'symbol' && Symbol.keyFor(value) !== undefined) return { kind: 'symbol', key: Symbol.keyFor(value) };
  try {
    if (value instanceof Error || typeof value === 'function') throw new TypeError('no clone');
    require('web/structured_clone').structuredClone(value);
    return { kind: 'value', value };
  } catch {
    return { kind: 'text', text: require('internal/util/inspect').inspect(value) };
  }
}

function unpack(packed) {
  if (packed.kind === 'value') return packed.value;
  if (packed.kind === 'symbol') return Symbol.for(packed.key);
  if (packed.kind === 'text') return { [kInspect]: () => packed.text };
  const error = new kErrors[packed.builtin]();
  for (const key of each(Object.getOwnPropertyNames(error))) delete error[key];
  for (const [name, value, enumerable] of eachEntry(packed.properties)) {
    const isInherited = name === 'name' && value.value === packed.builtin;
    if (isInherited) continue;
    Object.defineProperty(error, name, { __proto__: null, value: unpack(value), writable: true, configurable: true, enumerable });
  }
  return error;
}

module.exports = { pack, unpack };

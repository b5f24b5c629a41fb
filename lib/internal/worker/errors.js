// natives: none
// An uncaught error on its way to another thread: structured clone keeps too little of it (no code, no class of its own), so
// its properties are packed one by one. A symbol arrives as the registered one of its description, what cannot be cloned as the text that
// util.inspect shows.
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

// A program's Error.prepareStackTrace runs when the names are first asked for, and may throw; it does not run a second time.
function makesStack(error) {
  try {
    Object.getOwnPropertyNames(error);
    return true;
  } catch {
    return false;
  }
}

// name -> whether it is enumerable: the error's own, and what its class has above those of the language (`get code() {…}`).
function namesOf(error) {
  const names = new Map([
    ['name', false],
    ['message', false],
    ['stack', false],
  ]);
  for (
    let holder = error;
    holder !== null && kErrors[holder.constructor?.name]?.prototype !== holder;
    holder = Object.getPrototypeOf(holder)
  ) {
    for (const name of each(Object.getOwnPropertyNames(holder))) {
      if (names.has(name) && holder !== error) continue;
      names.set(name, objectPropertyIsEnumerable.call(holder, name));
    }
  }
  return names;
}

function packError(error, seen) {
  const properties = [];
  const hasStack = makesStack(error);
  arrayPush.call(seen, error);
  for (const [name, enumerable] of eachEntry(namesOf(error))) {
    if (name === 'line' || name === 'column' || name === 'sourceURL') continue;
    const value = name === 'stack' && !hasStack ? undefined : propertyOf(error, name);
    if ((typeof value === 'function' && name !== 'cause') || (value === undefined && !Object.hasOwn(error, name))) continue;
    arrayPush.call(properties, [name, pack(value, seen), enumerable]);
  }
  return { kind: 'error', builtin: builtinName(error), properties };
}

// By what Object.prototype.toString says, like Node: an object that only inherits from Error.prototype is a plain one.
function isError(value) {
  try {
    return typeof value === 'object' && objectToString.call(value) === '[object Error]';
  } catch {
    return false;
  }
}

function showsItself(value) {
  try {
    return typeof value === 'object' && value !== null && kInspect in value;
  } catch {
    return false;
  }
}

function pack(value, seen = []) {
  const inspected = () => require('internal/util/inspect').inspect(value);
  if (typeof value === 'symbol') return { kind: 'symbol', key: value.description ?? '' };
  if (isError(value)) return arrayIncludes.call(seen, value) ? { kind: 'custom', text: inspected() } : packError(value, seen);
  if (showsItself(value)) return { kind: 'custom', text: inspected() };
  try {
    require('internal/messaging/structured_clone').structuredClone(value);
    return { kind: 'value', value };
  } catch {
    return { kind: 'text', text: inspected() };
  }
}

function unpack(packed) {
  if (packed.kind === 'value') return packed.value;
  if (packed.kind === 'symbol') return Symbol.for(packed.key);
  if (packed.kind === 'text') return packed.text;
  if (packed.kind === 'custom') return { [kInspect]: () => packed.text };
  const error = packed.builtin === 'AggregateError' ? new AggregateError([]) : new kErrors[packed.builtin]();
  for (const key of each(Object.getOwnPropertyNames(error))) delete error[key];
  for (const [name, value, enumerable] of eachEntry(packed.properties)) {
    const isInherited = name === 'name' && value.value === packed.builtin;
    if (isInherited) continue;
    Object.defineProperty(error, name, { __proto__: null, value: unpack(value), writable: true, configurable: true, enumerable });
  }
  return error;
}

module.exports = { pack, unpack };

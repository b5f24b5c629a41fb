// natives: process, structured_clone
// process.env: the environment as an object. Every value is a string; assigning changes the real environment, which child
// processes inherit.
'use strict';

const binding = native('process');

let hasWarned = false;

function warnOfConversion() {
  if (hasWarned || !require('internal/util/helpers').isPendingDeprecation()) return;
  hasWarned = true;
  process.emitWarning(
    'Assigning any value other than a string, number, or boolean to a process.env property is deprecated. ' +
      'Please make sure to convert the value to a string before setting process.env with it.',
    'DeprecationWarning',
    'DEP0104',
  );
}

function toText(value) {
  if (typeof value === 'string') return value;
  if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
  if (typeof value !== 'number' && typeof value !== 'boolean') warnOfConversion();
  return `${value}`;
}

const handler = {
  __proto__: null,
  get(target, name) {
    if (typeof name === 'symbol') return Reflect.get(target, name);
    return binding.getEnv(name) ?? Object.prototype[name];
  },
  has(target, name) {
    return typeof name === 'symbol' ? Reflect.has(target, name) : binding.getEnv(name) !== undefined;
  },
  set(target, name, value) {
    if (typeof name === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
    binding.setEnv(name, toText(value));
    if (name === 'TZ') binding.resetTimeZone();
    return true;
  },
  deleteProperty(target, name) {
    if (typeof name !== 'symbol') binding.unsetEnv(name);
    if (name === 'TZ') binding.resetTimeZone();
    return true;
  },
  ownKeys() {
    return [...each(new Set(binding.envNames()))];
  },
  getOwnPropertyDescriptor(target, name) {
    const value = typeof name === 'symbol' ? undefined : binding.getEnv(name);
    if (value === undefined) return undefined;
    return { __proto__: null, value, writable: true, enumerable: true, configurable: true };
  },
  defineProperty(target, name, descriptor) {
    const {
      codes: { ERR_INVALID_OBJECT_DEFINE_PROPERTY },
    } = require('internal/errors/coded');
    if ('get' in descriptor || 'set' in descriptor) {
      throw new ERR_INVALID_OBJECT_DEFINE_PROPERTY("'process.env' does not accept an accessor(getter/setter) descriptor");
    }
    if (!descriptor.configurable || !descriptor.writable || !descriptor.enumerable) {
      throw new ERR_INVALID_OBJECT_DEFINE_PROPERTY("'process.env' only accepts a configurable, writable, and enumerable data descriptor");
    }
    return handler.set(target, name, descriptor.value);
  },
};

function environment() {
  const made = new Proxy({}, handler);
  const { setMode, kOrdinary } = native('structured_clone');
  setMode(made, kOrdinary);
  return made;
}

module.exports = { environment };

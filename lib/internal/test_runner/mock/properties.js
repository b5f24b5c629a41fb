// natives: none
// Mocked properties: reads and writes are remembered, and the value may be another one.
'use strict';

const {
  codes: { ERR_INVALID_ARG_VALUE },
} = require('internal/errors/coded');
const { validateInteger } = require('internal/util/validators');

class MockPropertyContext {
  #accesses = [];
  #once = new Map();
  #object;
  #key;
  #value;
  #original;
  #descriptor;

  constructor(object, key, ...given) {
    this.#object = object;
    this.#key = key;
    this.#original = object[key];
    this.#value = given.length > 0 ? given[0] : this.#original;
    this.#descriptor = Object.getOwnPropertyDescriptor(object, key);
    if (this.#descriptor === undefined) throw new ERR_INVALID_ARG_VALUE('propertyName', key, 'is not a property of the object');
    const { configurable, enumerable } = this.#descriptor;
    Object.defineProperty(object, key, {
      __proto__: null,
      configurable,
      enumerable,
      get: () => this.#access('get', this.#value),
      set: (value) => this.mockImplementation(value),
    });
  }

  #access(type, usual) {
    const number = this.#accesses.length;
    const value = this.#once.has(number) ? this.#once.get(number) : usual;
    this.#once.delete(number);
    arrayPush.call(this.#accesses, { __proto__: null, type, value, stack: new Error() });
    return value;
  }

  get accesses() {
    return arraySlice.call(this.#accesses);
  }
  accessCount() {
    return this.#accesses.length;
  }

  mockImplementation(value) {
    if (!this.#descriptor.writable) throw new ERR_INVALID_ARG_VALUE('propertyName', this.#key, 'cannot be set');
    this.#value = this.#access('set', value);
  }

  mockImplementationOnce(value, onAccess) {
    const next = this.#accesses.length;
    const access = onAccess ?? next;
    validateInteger(access, 'onAccess', next);
    this.#once.set(access, value);
  }

  resetAccesses() {
    this.#accesses = [];
  }

  restore() {
    Object.defineProperty(this.#object, this.#key, { __proto__: null, ...this.#descriptor, value: this.#original });
  }
}

module.exports = { MockPropertyContext };

// natives: none
// MockTracker: makes mocks of functions, methods, properties, modules and timers, and puts back everything it replaced.
'use strict';

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE },
} = require('internal/errors/coded');
const { getOptionValue } = require('internal/process/options');
const { validateBoolean, validateFunction, validateInteger, validateObject } = require('internal/util/validators');
const { MockFunctionContext, makeMock } = require('internal/test_runner/mock/functions');

function useOriginal() {}

function checkKey(value, name) {
  if (typeof value !== 'string' && typeof value !== 'symbol') throw new ERR_INVALID_ARG_TYPE(name, ['string', 'symbol'], value);
}

function checkTimes(value) {
  if (value !== Infinity) validateInteger(value, 'options.times', 1);
}

function findDescriptor(object, key) {
  for (; object !== null; object = Object.getPrototypeOf(object)) {
    const descriptor = Object.getOwnPropertyDescriptor(object, key);
    if (descriptor !== undefined) return descriptor;
  }
  return undefined;
}

const isFixed = (descriptor) => descriptor?.configurable === false && descriptor.writable !== true;
const isOptions = (value) => value !== null && typeof value === 'object';

class MockTracker {
  #mocks = [];
  #timers;

  get timers() {
    return (this.#timers ??= new (require('internal/test_runner/mock/timers').MockTimers)());
  }

  fn(original = function () {}, implementation = original, options = {}) {
    if (isOptions(original)) {
      options = original;
      original = function () {};
      implementation = original;
    } else if (isOptions(implementation)) {
      options = implementation;
      implementation = original;
    }
    validateFunction(original, 'original');
    validateFunction(implementation, 'implementation');
    validateObject(options, 'options');
    const { times = Infinity } = options;
    checkTimes(times);
    return this.#track(new MockFunctionContext(implementation, { original }, times), original);
  }

  method(object, methodName, implementation = useOriginal, options = {}) {
    checkKey(methodName, 'methodName');
    if (typeof object !== 'function') validateObject(object, 'object');
    if (isOptions(implementation)) {
      options = implementation;
      implementation = useOriginal;
    }
    validateFunction(implementation, 'implementation');
    validateObject(options, 'options');
    const { getter = false, setter = false, times = Infinity } = options;
    validateBoolean(getter, 'options.getter');
    validateBoolean(setter, 'options.setter');
    checkTimes(times);
    if (setter && getter) throw new ERR_INVALID_ARG_VALUE('options.setter', setter, "cannot be used with 'options.getter'");
    const place = getter ? 'get' : setter ? 'set' : 'value';
    const descriptor = findDescriptor(object, methodName);
    const original = descriptor?.[place];
    if (typeof original !== 'function') throw new ERR_INVALID_ARG_VALUE('methodName', original, 'must be a method');
    const restore = { descriptor, object, key: methodName };
    if (isFixed(Object.getOwnPropertyDescriptor(object, methodName)))
      throw new TypeError(`Cannot redefine property: ${String(methodName)}`);
    const mock = this.#track(new MockFunctionContext(implementation === useOriginal ? original : implementation, restore, times), original);
    Object.defineProperty(object, methodName, { __proto__: null, ...descriptor, [place]: mock });
    return mock;
  }

  getter(object, methodName, implementation, options) {
    return this.#accessor('getter', object, methodName, implementation, options);
  }
  setter(object, methodName, implementation, options) {
    return this.#accessor('setter', object, methodName, implementation, options);
  }

  #accessor(kind, object, methodName, implementation = useOriginal, options = {}) {
    if (isOptions(implementation)) {
      options = implementation;
      implementation = useOriginal;
    } else {
      validateObject(options, 'options');
    }
    const { [kind]: isWanted = true } = options;
    if (isWanted === false) throw new ERR_INVALID_ARG_VALUE(`options.${kind}`, isWanted, 'cannot be false');
    return this.method(object, methodName, implementation, { __proto__: null, ...options, [kind]: isWanted });
  }

  property(object, propertyName, ...value) {
    validateObject(object, 'object');
    checkKey(propertyName, 'propertyName');
    const { MockPropertyContext } = require('internal/test_runner/mock/properties');
    const context = new MockPropertyContext(object, propertyName, ...each(value));
    arrayPush.call(this.#mocks, context);
    return new Proxy(object, {
      __proto__: null,
      get(target, key, receiver) {
        return key === 'mock' ? context : Reflect.get(target, key, receiver);
      },
    });
  }

  module(specifier, options = {}) {
    const context = require('internal/test_runner/mock/modules').mockModule(specifier, options, this.module);
    arrayPush.call(this.#mocks, context);
    return context;
  }

  reset() {
    this.restoreAll();
    this.#timers?.reset();
    this.#mocks = [];
  }

  restoreAll() {
    for (const context of each(this.#mocks)) context.restore();
  }

  #track(context, original) {
    arrayPush.call(this.#mocks, context);
    return makeMock(context, original);
  }
}

if (!getOptionValue('--experimental-test-module-mocks')) delete MockTracker.prototype.module;

module.exports = { MockTracker };

// natives: none
// node:test's mock: functions that remember their calls, and methods replaced for a while.
'use strict';

const {
  codes: { ERR_INVALID_ARG_VALUE },
} = require('internal/errors/coded');
const { validateFunction, validateInteger, validateObject } = require('internal/util/validators');

class MockFunctionContext {
  #calls = [];
  #implementation;
  #onces = new Map();
  #restore;
  #left;

  constructor(implementation, restore, times = Infinity) {
    this.#implementation = implementation;
    this.#restore = restore;
    this.#left = times;
  }

  get calls() {
    return arraySlice.call(this.#calls);
  }
  callCount() {
    return this.#calls.length;
  }

  mockImplementation(implementation) {
    validateFunction(implementation, 'implementation');
    this.#implementation = implementation;
  }

  mockImplementationOnce(implementation, onCall = this.#calls.length) {
    validateFunction(implementation, 'implementation');
    validateInteger(onCall, 'onCall', this.#calls.length);
    this.#onces.set(onCall, implementation);
  }

  restore() {
    this.#restore?.();
  }
  resetCalls() {
    this.#calls = [];
  }

  record(call) {
    arrayPush.call(this.#calls, call);
  }

  next(original) {
    const number = this.#calls.length;
    const once = this.#onces.get(number);
    if (once !== undefined) {
      this.#onces.delete(number);
      return once;
    }
    return number < this.#left ? this.#implementation : original;
  }
}

function makeMock(original, implementation, options, restore) {
  const context = new MockFunctionContext(implementation, restore, options?.times);
  const handler = {
    apply(target, self, args) {
      return run(self, args, undefined, (fn) => Reflect.apply(fn, self, args));
    },
    construct(target, args, newTarget) {
      return run(undefined, args, newTarget, (fn) => Reflect.construct(fn, args, newTarget === mock ? fn : newTarget));
    },
    get(target, key, receiver) {
      return key === 'mock' ? context : Reflect.get(target, key, receiver);
    },
  };
  function run(self, args, target, invoke) {
    const fn = context.next(original);
    const call = { arguments: args, error: undefined, result: undefined, stack: new Error(), target, this: self };
    try {
      return (call.result = invoke(fn));
    } catch (error) {
      call.error = error;
      throw error;
    } finally {
      context.record(call);
    }
  }
  const mock = new Proxy(original, handler);
  return mock;
}

function findDescriptor(object, name) {
  for (let at = object; at !== null && at !== undefined; at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, name);
    if (descriptor !== undefined) return descriptor;
  }
  throw new ERR_INVALID_ARG_VALUE('methodName', name, 'must be a method');
}

class MockTracker {
  #restores = [];
  #mocks = [];

  fn(original = function () {}, implementation = original, options = {}) {
    if (original !== null && typeof original === 'object') {
      options = original;
      original = function () {};
      implementation = original;
    } else if (implementation !== null && typeof implementation === 'object') {
      options = implementation;
      implementation = original;
    }
    validateFunction(original, 'original');
    validateFunction(implementation, 'implementation');
    const mock = makeMock(original, implementation, options);
    arrayPush.call(this.#mocks, mock);
    return mock;
  }

  method(object, name, implementation, options) {
    if (typeof object !== 'function') validateObject(object, 'object');
    if (implementation !== null && typeof implementation === 'object') {
      options = implementation;
      implementation = undefined;
    }
    const kind = options?.getter ? 'get' : options?.setter ? 'set' : 'value';
    const descriptor = findDescriptor(object, name);
    const original = descriptor[kind];
    if (typeof original !== 'function') throw new ERR_INVALID_ARG_VALUE('methodName', original, 'must be a method');
    const had = Object.getOwnPropertyDescriptor(object, name);
    const restore = () => {
      if (had === undefined) delete object[name];
      else Object.defineProperty(object, name, had);
    };
    const mock = makeMock(original, implementation ?? original, options, restore);
    Object.defineProperty(object, name, { ...descriptor, configurable: true, [kind]: mock });
    arrayPush.call(this.#restores, restore);
    arrayPush.call(this.#mocks, mock);
    return mock;
  }

  getter(object, name, implementation, options) {
    return this.method(object, name, implementation, { ...options, getter: true });
  }

  setter(object, name, implementation, options) {
    return this.method(object, name, implementation, { ...options, setter: true });
  }

  property(object, name, value) {
    const had = Object.getOwnPropertyDescriptor(object, name);
    Object.defineProperty(object, name, {
      __proto__: null,
      value,
      writable: true,
      configurable: true,
      enumerable: had?.enumerable ?? true,
    });
    arrayPush.call(this.#restores, () => {
      if (had === undefined) delete object[name];
      else Object.defineProperty(object, name, had);
    });
    return object;
  }

  restoreAll() {
    while (this.#restores.length > 0) arrayPop.call(this.#restores)();
  }

  reset() {
    this.restoreAll();
    this.#mocks = [];
  }
}

module.exports = { MockFunctionContext, MockTracker };

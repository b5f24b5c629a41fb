// natives: none
// Mocked functions: they remember their calls and may be given another implementation, for some calls or for good.
'use strict';

const { validateFunction, validateInteger } = require('internal/util/validators');

// Functions of a context for the tracker alone; programs see the others.
const hidden = new WeakMap();

class MockFunctionContext {
  #calls = [];
  #once = new Map();
  #implementation;
  #restore;

  constructor(implementation, restore, times) {
    this.#implementation = implementation;
    this.#restore = restore;
    hidden.set(this, {
      record: (call) => arrayPush.call(this.#calls, call),
      next: () => {
        const number = this.#calls.length;
        const fn = this.#once.get(number) ?? this.#implementation;
        if (number + 1 === times) this.restore();
        this.#once.delete(number);
        return fn;
      },
    });
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

  mockImplementationOnce(implementation, onCall) {
    validateFunction(implementation, 'implementation');
    const next = this.#calls.length;
    const call = onCall ?? next;
    validateInteger(call, 'onCall', next);
    this.#once.set(call, implementation);
  }

  // A method is put back where it was; a function becomes the original.
  restore() {
    const { descriptor, object, original, key } = this.#restore;
    if (key === undefined) this.#implementation = original;
    else Object.defineProperty(object, key, { __proto__: null, ...descriptor });
  }

  resetCalls() {
    this.#calls = [];
  }
}

function observe(context, args, target, invoke, receiverOf) {
  const { next, record } = hidden.get(context);
  const fn = next();
  let result;
  let error;
  try {
    result = invoke(fn);
  } catch (thrown) {
    error = thrown;
    throw thrown;
  } finally {
    record({ __proto__: null, arguments: args, error, result, stack: new Error(), target, this: receiverOf(result) });
  }
  return result;
}

function makeMock(context, original) {
  return new Proxy(original, {
    __proto__: null,
    apply(target, self, args) {
      return observe(
        context,
        args,
        undefined,
        (fn) => Reflect.apply(fn, self, args),
        () => self,
      );
    },
    construct(target, args, newTarget) {
      return observe(
        context,
        args,
        target,
        (fn) => Reflect.construct(fn, args, newTarget),
        (result) => result,
      );
    },
    get(target, key, receiver) {
      return key === 'mock' ? context : Reflect.get(target, key, receiver);
    },
  });
}

module.exports = { MockFunctionContext, makeMock };

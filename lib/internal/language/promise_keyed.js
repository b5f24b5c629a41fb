// natives: none
// Promise.allKeyed and Promise.allSettledKeyed, https://tc39.es/proposal-await-dictionary.
'use strict';

const newCapability = require('internal/language/promise_capability');

// Of the realm that this file is loaded in; the exported function sets them.
let TypeError;
let apply;
let ownKeys;
let ownProperty;

module.exports = (intrinsics) => {
  ({ TypeError, apply, ownKeys, ownProperty } = intrinsics);
  return functions;
};

// A function that counts once, without a name.
const once = (run) => {
  let isCalled = false;
  return (value) => {
    if (isCalled) return undefined;
    isCalled = true;
    return run(value);
  };
};
const unnamed = (run) => {
  const function_ = once(run);
  delete function_.name;
  Object.defineProperty(function_, 'name', { __proto__: null, value: '', configurable: true });
  return function_;
};

function perform(Constructor, promises, { resolve, reject }, isSettled) {
  const promiseResolve = Constructor.resolve;
  if (typeof promiseResolve !== 'function') throw new TypeError('Promise resolve or reject function is not callable');
  if ((typeof promises !== 'object' || promises === null) && typeof promises !== 'function')
    throw new TypeError('The value is not an object');
  const keys = [];
  const values = [];
  let remaining = 1;
  const finish = () => {
    if (--remaining !== 0) return undefined;
    const result = { __proto__: null };
    for (let i = 0; i < keys.length; i++) result[keys[i]] = values[i];
    return resolve(result);
  };
  for (const key of ownKeys(promises)) {
    if (!ownProperty(promises, key)?.enumerable) continue;
    const next = apply(promiseResolve, Constructor, [promises[key]]);
    const index = keys.push(key) - 1;
    values.push(undefined);
    remaining++;
    const settle = (value) => {
      values[index] = value;
      return finish();
    };
    const onFulfilled = unnamed((value) => settle(isSettled ? { status: 'fulfilled', value } : value));
    const onRejected = isSettled ? unnamed((reason) => settle({ status: 'rejected', reason })) : reject;
    next.then(onFulfilled, onRejected);
  }
  finish();
}

function combine(Constructor, promises, isSettled) {
  const capability = newCapability(Constructor, TypeError, 'allKeyed');
  try {
    perform(Constructor, promises, capability, isSettled);
  } catch (error) {
    capability.reject(error);
  }
  return capability.promise;
}

const functions = {
  allKeyed(promises) {
    return combine(this, promises, false);
  },

  allSettledKeyed(promises) {
    return combine(this, promises, true);
  },
};

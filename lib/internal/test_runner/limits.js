// natives: none
// The end of a test that does not end by itself: its timeout, or the abort of its signal. And the race of its promises against that end.
'use strict';

const { addAbortListener } = require('internal/events/abort_listener');
const { failure, types } = require('internal/test_runner/failures');

// `promise` resolves when `signal` aborts and rejects after `timeout` milliseconds (null: never); dispose() ends the wait.
function stopLimit(timeout, signal) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const listener = addAbortListener(signal, resolve);
  let timer;
  if (timeout !== null) {
    timer = setTimeout(() => reject(failure(`test timed out after ${timeout}ms`, types.timeout)), timeout);
    timer.unref();
  }
  promiseThen(promise, undefined, () => {});
  return {
    promise,
    dispose() {
      listener[Symbol.dispose]();
      clearTimeout(timer);
    },
  };
}

const follow = (promise) =>
  new Promise((resolve, reject) => {
    promiseThen(promise, resolve, reject);
  });

// Three reactions after the first of them settles, as in Node: a plan may be met in promise reactions that the test did not wait for.
const race = (promises) => follow(Promise.race(arrayMap.call(promises, follow)));

// The callback of a test that takes one: it may be called once.
function callbackPromise() {
  const { promise, resolve, reject } = Promise.withResolvers();
  let calls = 0;
  const callback = (error) => {
    calls++;
    if (calls === 2) throw failure('callback invoked multiple times', types.multipleCallbacks);
    if (calls > 2) return;
    if (error) reject(error);
    else resolve();
  };
  return { promise, callback };
}

module.exports = { callbackPromise, race, stopLimit };

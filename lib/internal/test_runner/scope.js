// natives: none
// The test that the running code belongs to. It follows awaits, timers and I/O as an AsyncLocalStorage does. A reporter runs in a scope
// of its own, so that its errors are not taken for a test's.
'use strict';

const asyncContext = require('internal/async_hooks/context');
const { AsyncLocalStorage } = require('internal/async_hooks/local_storage');

const storage = new AsyncLocalStorage();
const kReporter = Symbol('reporter');

const currentTest = () => {
  const scope = storage.getStore();
  return scope === kReporter ? undefined : scope;
};
const isReporter = () => storage.getStore() === kReporter;

// One frame of the stack: what a program's errors show of the runner should be short.
function runInTest(test, fn, self, args) {
  const outer = asyncContext.get();
  storage.enterWith(test);
  try {
    return Reflect.apply(fn, self, args);
  } finally {
    asyncContext.set(outer);
  }
}

const runInReporter = (fn) => storage.run(kReporter, fn);

module.exports = { currentTest, isReporter, runInReporter, runInTest };

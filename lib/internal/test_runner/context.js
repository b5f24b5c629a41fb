// natives: none
// The argument of a test's function: `t` with subtests, hooks, assertions that count, and the
// means to skip itself.
'use strict';

const { now } = require('internal/perf/clock');
const { validateFunction, validateUint32 } = require('internal/util/validators');

class SuiteContext {
  #suite;

  constructor(suite) {
    this.#suite = suite;
  }
  get name() {
    return this.#suite.name;
  }
  get fullName() {
    return this.#suite.fullName;
  }
  get passed() {
    return this.#suite.error === null;
  }
  get signal() {
    return signalOf(this.#suite);
  }
  get filePath() {
    return process.argv[1];
  }
  diagnostic(message) {
    arrayPush.call(this.#suite.diagnostics, `${message}`);
  }
}

function signalOf(test) {
  test.controller ??= new (require('internal/events/abort').AbortController)();
  return test.signal === undefined
    ? test.controller.signal
    : require('internal/events/abort').AbortSignal.any([test.controller.signal, test.signal]);
}

// assert's functions, each counted when the test has a plan.
function countingAssert(test) {
  const assert = require('internal/assert/assert');
  const bound = {};
  for (const name of each(Object.keys(assert))) {
    if (typeof assert[name] !== 'function' || arrayIncludes.call(['AssertionError', 'Assert', 'strict'], name)) continue;
    bound[name] = (...args) => {
      if (test.planned !== null) test.planCount++;
      return Reflect.apply(assert[name], assert, args);
    };
  }
  return bound;
}

class TestContext {
  #test;
  #assert;
  #mock;

  constructor(test) {
    this.#test = test;
  }

  get name() {
    return this.#test.name;
  }
  get fullName() {
    return this.#test.fullName;
  }
  get filePath() {
    return process.argv[1];
  }
  get signal() {
    return signalOf(this.#test);
  }
  get passed() {
    return this.#test.error === null;
  }
  get error() {
    return this.#test.error;
  }
  get attempt() {
    return 0;
  }
  get assert() {
    return (this.#assert ??= countingAssert(this.#test));
  }

  get mock() {
    if (this.#mock === undefined) {
      const { MockTracker } = require('internal/test_runner/mock');
      const mock = (this.#mock = new MockTracker());
      this.#test.addHook('after', () => mock.restoreAll());
    }
    return this.#mock;
  }

  plan(count) {
    validateUint32(count, 'count');
    this.#test.planned = count;
  }

  diagnostic(message) {
    arrayPush.call(this.#test.diagnostics, `${message}`);
  }
  skip(message) {
    this.#test.skipped = message || true;
  }
  todo(message) {
    this.#test.todo = message || true;
  }
  test(...args) {
    return this.#test.add('test', args);
  }
  before(fn, options) {
    this.#test.addHook('before', fn, options);
  }
  after(fn, options) {
    this.#test.addHook('after', fn, options);
  }
  beforeEach(fn, options) {
    this.#test.addHook('beforeEach', fn, options);
  }
  afterEach(fn, options) {
    this.#test.addHook('afterEach', fn, options);
  }

  // Tries `condition` until it does not throw.
  async waitFor(condition, { interval = 50, timeout = 1000 } = {}) {
    validateFunction(condition, 'condition');
    const end = now() + timeout;
    for (;;) {
      try {
        return await condition();
      } catch (error) {
        if (now() >= end) throw new Error('waitFor() timed out', { cause: error });
      }
      await new Promise((resolve) => {
        setTimeout(resolve, interval);
      });
    }
  }
}

module.exports = { SuiteContext, TestContext };

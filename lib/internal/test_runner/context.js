// natives: none
// TestContext and SuiteContext: the `t` and `s` that functions of tests and suites are given.
'use strict';

const { validateFunction, validateNumber, validateObject } = require('internal/util/validators');
const { failure, types } = require('internal/test_runner/failures');
const { TestPlan, kMaxTimeout } = require('internal/test_runner/plan');
const { callerLocation } = require('internal/test_runner/location');

// assert's functions; each counts for the test's plan.
function countingAssert(test, context) {
  const assertions = test.root.harness.assertions();
  const { plan } = test;
  const counting = { __proto__: null };
  for (const [name, assertion] of eachEntry(assertions)) {
    counting[name] = (...args) => {
      plan?.count();
      return Reflect.apply(assertion, context, args);
    };
  }
  if (assertions.has('ok')) return counting;
  const { innerOk } = require('internal/assert/utils');
  // The message of a failed ok() shows the source of this call: the innermost frame that is left out is this function's.
  counting.ok = function ok(...args) {
    plan?.count();
    innerOk(ok, ...each(args));
  };
  return counting;
}

class TestContext {
  #test;
  #assert;

  constructor(test) {
    this.#test = test;
  }

  get signal() {
    return this.#test.signal;
  }
  get name() {
    return this.#test.name;
  }
  get filePath() {
    return this.#test.entryFile;
  }
  get fullName() {
    return this.#test.fullName;
  }
  get error() {
    return this.#test.error;
  }
  get passed() {
    return this.#test.passed;
  }
  get attempt() {
    return this.#test.attempt ?? 0;
  }
  get tags() {
    return this.#test.tags;
  }
  get workerId() {
    return Number(process.env.NODE_TEST_WORKER_ID) || undefined;
  }
  get assert() {
    return (this.#assert ??= countingAssert(this.#test, this));
  }
  get mock() {
    return (this.#test.mock ??= new (require('internal/test_runner/mock/tracker').MockTracker)());
  }

  diagnostic(message) {
    this.#test.diagnostic(message);
  }
  log(message, data) {
    this.#test.log(message, data);
  }
  runOnly(value) {
    this.#test.runOnlySubtests = !!value;
  }
  skip(message) {
    this.#test.skip(message);
  }
  todo(message) {
    this.#test.todo(message);
  }

  plan(count, options = {}) {
    if (this.#test.plan !== null) throw failure('cannot set plan more than once', types.testCode);
    this.#test.plan = new TestPlan(count, options);
  }

  test(name, options, fn) {
    this.#test.plan?.count();
    const { Test } = require('internal/test_runner/test');
    return this.#test.createSubtest(Test, name, options, fn, { location: callerLocation(this.test) }).start();
  }

  before(fn, options) {
    this.#test.createHook('before', fn, options, callerLocation(this.before));
  }
  after(fn, options) {
    this.#test.createHook('after', fn, options, callerLocation(this.after));
  }
  beforeEach(fn, options) {
    this.#test.createHook('beforeEach', fn, options, callerLocation(this.beforeEach));
  }
  afterEach(fn, options) {
    this.#test.createHook('afterEach', fn, options, callerLocation(this.afterEach));
  }

  waitFor(condition, options = {}) {
    validateFunction(condition, 'condition');
    validateObject(options, 'options');
    const { interval = 50, timeout = 1000 } = options;
    validateNumber(interval, 'options.interval', 0, kMaxTimeout);
    validateNumber(timeout, 'options.timeout', 0, kMaxTimeout);
    return waitFor(condition, interval, timeout);
  }
}

// Tries `condition` until it does not throw.
function waitFor(condition, interval, timeout) {
  const { promise, resolve, reject } = Promise.withResolvers();
  let next;
  let hasFailed = false;
  let lastError;
  const limit = setTimeout(() => {
    clearTimeout(next);
    const error = new Error('waitFor() timed out');
    if (hasFailed) error.cause = lastError;
    reject(error);
  }, timeout);
  const attempt = async () => {
    try {
      resolve(await condition());
      clearTimeout(limit);
    } catch (error) {
      hasFailed = true;
      lastError = error;
      next = setTimeout(attempt, interval);
    }
  };
  attempt();
  return promise;
}

class SuiteContext {
  #suite;

  constructor(suite) {
    this.#suite = suite;
  }

  get signal() {
    return this.#suite.signal;
  }
  get name() {
    return this.#suite.name;
  }
  get filePath() {
    return this.#suite.entryFile;
  }
  get fullName() {
    return this.#suite.fullName;
  }
  get passed() {
    return this.#suite.passed;
  }
  get attempt() {
    return this.#suite.attempt ?? 0;
  }
  diagnostic(message) {
    this.#suite.diagnostic(message);
  }
  log(message, data) {
    this.#suite.log(message, data);
  }
}

module.exports = { SuiteContext, TestContext };

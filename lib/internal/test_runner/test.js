// natives: none
// A test, a suite or the root of all: runs hooks, its function and its subtests one after
// another, and keeps the outcome. node:test makes them, internal/test_runner/report prints.
'use strict';

const { now } = require('internal/perf/clock');
const {
  codes: { ERR_TEST_FAILURE },
} = require('internal/errors/coded');
const { validateNumber, validateObject } = require('internal/util/validators');
const { TestContext, SuiteContext } = require('internal/test_runner/context');

const kHooks = ['before', 'after', 'beforeEach', 'afterEach'];

// (name, options, fn) in any shorter form.
function readArguments(name, options, fn) {
  if (typeof name === 'function') {
    fn = name;
    name = undefined;
    options = undefined;
  } else if (name !== null && typeof name === 'object') {
    fn = options;
    options = name;
    name = undefined;
  } else if (typeof options === 'function') {
    fn = options;
    options = undefined;
  }
  if (options !== undefined && options !== null) validateObject(options, 'options');
  options = { ...options };
  if (options.timeout != null && options.timeout !== Infinity) validateNumber(options.timeout, 'options.timeout', 0, 2 ** 31 - 1);
  return { name: name || fn?.name || '<anonymous>', options, fn: fn ?? (() => {}) };
}

// The promise of a function that may take a callback as its second parameter.
function call(fn, context) {
  if (fn.length < 2) return Reflect.apply(fn, context, [context]);
  return new Promise((resolve, reject) => {
    let called = false;
    const returned = Reflect.apply(fn, context, [
      context,
      (error) => {
        if (called) return reject(new ERR_TEST_FAILURE('callback invoked multiple times', 'multipleCallbackInvocations'));
        called = true;
        if (error) reject(error);
        else resolve();
      },
    ]);
    if (typeof returned?.then === 'function') {
      reject(new ERR_TEST_FAILURE('passed a callback but also returned a Promise', 'callbackAndPromisePresent'));
    }
  });
}

class Test {
  constructor({ name, options = {}, fn, parent = null, isSuite = false }) {
    this.name = name;
    this.fn = fn;
    this.parent = parent;
    this.isSuite = isSuite;
    this.timeout = options.timeout ?? parent?.timeout;
    this.skipped = options.skip || (parent?.skipped && parent.isSuite) || false;
    this.todo = options.todo ?? (parent?.isSuite ? parent.todo : false);
    this.only = options.only ?? false;
    this.signal = options.signal;
    this.subtests = [];
    this.hooks = Object.fromEntries(each(arrayMap.call(kHooks, (hook) => [hook, []])));
    // Tests declared by a suite wait until the suite's turn has come.
    this.gate = isSuite ? Promise.withResolvers() : null;
    this.queue = isSuite ? this.gate.promise : Promise.resolve();
    this.collecting = undefined;
    this.diagnostics = [];
    this.error = null;
    this.finished = false;
    this.planned = options.plan ?? null;
    this.planCount = 0;
    this.controller = null;
    this.duration = 0;
    this.beforeHooksRan = false;
    this.hasEnded = false;
    this.context = isSuite ? new SuiteContext(this) : new TestContext(this);
  }

  get passed() {
    return this.finished && (this.error === null || Boolean(this.todo));
  }
  get nesting() {
    return this.parent === null ? -1 : this.parent.nesting + 1;
  }
  get fullName() {
    return this.parent?.parent ? `${this.parent.fullName} > ${this.name}` : this.name;
  }

  addHook(kind, fn, options) {
    arrayPush.call(this.hooks[kind], { fn, options });
  }

  // Queues a subtest behind the ones before it; the promise settles when it has run.
  add(kind, args, extra = {}) {
    const { name, options, fn } = readArguments(...each(args));
    const test = new Test({ name, fn, options: { ...options, ...extra }, parent: this, isSuite: kind === 'suite' });
    arrayPush.call(this.subtests, test);
    if (this.planned !== null && kind === 'test') this.planCount++;
    // A suite's function runs now: it only declares what is in it.
    if (test.isSuite) test.collect();
    const done = promiseThen(this.queue, () => test.run());
    this.queue = done;
    return done;
  }

  collect() {
    if (this.skipped) return;
    const outer = Test.current;
    Test.current = this;
    try {
      const returned = call(this.fn, this.context);
      if (typeof returned?.then === 'function')
        this.collecting = promiseThen(Promise.resolve(returned), undefined, (error) => this.fail(error));
    } catch (error) {
      this.fail(error);
    } finally {
      Test.current = outer;
    }
  }

  fail(error) {
    this.error ??= error instanceof Error && error.code === 'ERR_TEST_FAILURE' ? error : new ERR_TEST_FAILURE(error, 'testCodeFailure');
  }

  async runHooks(kind) {
    for (const { fn } of each(this.hooks[kind])) await call(fn, this.context);
  }

  // The root's `after` hooks, once, when all that was declared has run: they may close what keeps the loop alive.
  endRoot() {
    if (this.hasEnded || arraySome.call(this.subtests, (test) => !test.finished)) return;
    this.hasEnded = true;
    promiseThen(this.runHooks('after'), undefined, (error) => this.fail(error));
  }

  // A parent's `before` hooks run before its first subtest.
  async prepare() {
    if (this.parent !== null) await this.parent.prepare();
    if (this.beforeHooksRan) return;
    this.beforeHooksRan = true;
    await this.runHooks('before');
  }

  async aroundEach(kind, context) {
    const chain = [];
    for (let test = this.parent; test !== null; test = test.parent) arrayPush.call(chain, test);
    if (kind === 'beforeEach') arrayReverse.call(chain);
    for (const test of each(chain)) {
      for (const { fn } of each(test.hooks[kind])) await call(fn, context);
    }
  }

  async run() {
    const start = now();
    const outer = Test.current;
    Test.current = this;
    try {
      if (!this.skipped) await this.runBody();
    } catch (error) {
      this.fail(error);
    }
    this.finish(now() - start);
    Test.current = outer;
  }

  async runBody() {
    if (this.isSuite) {
      await this.collecting;
      this.gate.resolve();
      await this.queue;
      if (this.beforeHooksRan) await this.runHooks('after');
      return;
    }
    await this.parent.prepare();
    if (this.parent.failedBefore) throw this.parent.failedBefore;
    await this.aroundEach('beforeEach', this.context);
    try {
      await this.limited(call(this.fn, this.context));
      await this.queue;
      this.checkPlan();
    } finally {
      await this.runHooks('after');
      await this.aroundEach('afterEach', this.context);
    }
  }

  limited(running) {
    if (this.timeout === undefined || this.timeout === Infinity) return running;
    const { promise, reject } = Promise.withResolvers();
    const timer = setTimeout(() => {
      reject(new ERR_TEST_FAILURE(`test timed out after ${this.timeout}ms`, 'testTimeoutFailure'));
    }, this.timeout);
    return promiseFinally(Promise.race([running, promise]), () => clearTimeout(timer));
  }

  checkPlan() {
    if (this.planned === null || this.planCount === this.planned) return;
    throw new ERR_TEST_FAILURE(`plan expected ${this.planned} assertions but received ${this.planCount}`, 'testCodeFailure');
  }

  finish(duration) {
    this.duration = duration;
    const failed = arrayFilter.call(this.subtests, (test) => !test.passed).length;
    if (failed > 0 && this.error === null && this.parent !== null) {
      this.error = new ERR_TEST_FAILURE(`${failed} subtest${failed > 1 ? 's' : ''} failed`, 'subtestsFailed');
    }
    this.finished = true;
    this.controller?.abort();
    if (this.parent === null || this.parent.parent !== null) return;
    require('internal/test_runner/report').printTest(this);
    this.parent.endRoot();
  }
}

// The running test: where a plain test() or hook belongs, and who gets the blame for an
// exception that nobody caught.
Test.current = null;

module.exports = { Test };

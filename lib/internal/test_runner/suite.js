// natives: none
// Suite: its function runs at once and declares what is inside; the tests run when it is the suite's turn. TestHook: a function around
// tests, with the limits of a test.
'use strict';

const { AbortController } = require('internal/events/abort');
const { now } = require('internal/perf/clock');
const { SuiteContext } = require('internal/test_runner/context');
const { failure, isFailure, types } = require('internal/test_runner/failures');
const { race, stopLimit } = require('internal/test_runner/limits');
const { runInTest } = require('internal/test_runner/scope');
const { Test, noop } = require('internal/test_runner/test');
const { TestTracing } = require('internal/test_runner/tracing');

class Suite extends Test {
  constructor(options) {
    super(options);
    if (options.timeout == null) this.timeout = null;
    this.isBuilt = false;
    this.tracing = new TestTracing(this);
    this.built = this.build();
    this.fn = noop;
  }

  get reportedType() {
    return 'suite';
  }

  async build() {
    try {
      const { context, args } = this.runArguments();
      await runInTest(this, this.tracing.wrap(this.fn, this), context, args);
    } catch (error) {
      this.tracing.error(error);
      this.fail(failure(error, types.testCode));
    }
    this.isBuilt = true;
  }

  runArguments() {
    const context = new SuiteContext(this);
    return { __proto__: null, context, args: [context] };
  }

  async runFiltered() {
    await this.built;
    return super.runFiltered();
  }

  async run() {
    this.inheritHooks();
    const args = this.runArguments();
    let afterDone;
    const after = () => (afterDone ??= this.runHooks('after', args));
    let limit;
    try {
      this.parent.activeSubtests++;
      await this.built;
      this.startTime = now();
      if (this.abortIfAsked()) {
        this.subtests = [];
        return this.postRun();
      }
      if (this.parent.hooks.before.length > 0) await this.parent.runHooks('before', this.parent.runArguments());
      await this.runHooks('before', args);
      limit = stopLimit(this.timeout, this.signal);
      const subtests = this.skipped || this.error ? [] : this.subtests;
      await race([Promise.all(arrayMap.call(subtests, (test) => test.start())), limit.promise]);
      await after();
      this.pass();
    } catch (error) {
      try {
        await after();
      } catch {
        /* the suite has failed already */
      }
      this.fail(isFailure(error) ? error : failure(error, types.testCode));
    } finally {
      limit?.dispose();
      this.tracing.end();
    }
    this.postRun();
  }
}

class TestHook extends Test {
  #args;
  #isOnce;
  #done;

  constructor(fn, { hookType, location, parent, timeout, signal }) {
    super({ __proto__: null, fn, location, timeout, signal, harness: parent.root.harness });
    this.parentTest = parent;
    this.hookType = hookType;
    this.#isOnce = hookType === 'before' || hookType === 'after';
  }

  get reportedType() {
    return 'hook';
  }
  getContext() {
    return this.parentTest.getContext();
  }
  runArguments() {
    return this.#args;
  }
  isLeftOutByName() {
    return false;
  }
  replayIfPassed() {}

  run(args) {
    if (this.#isOnce && this.#done !== undefined) return this.#done;
    if (this.error && !this.outerSignal?.aborted) {
      this.passed = false;
      this.error = null;
      this.abortController.abort();
      this.abortController = new AbortController();
      this.signal = this.abortController.signal;
    }
    this.#args = args;
    return (this.#done = super.run());
  }

  // A failure of the root's `after` hook belongs to no test: it is reported like one.
  postRun() {
    const { error, parentTest: root } = this;
    if (!error || root !== root.root || this.hookType !== 'after') return;
    if (isFailure(error)) error.failureType = types.hook;
    this.endTime ??= now();
    root.reporter.failedHook(this, root.subtests.length + 1, { __proto__: null, duration_ms: this.duration(), error });
  }
}

module.exports = { Suite, TestHook };

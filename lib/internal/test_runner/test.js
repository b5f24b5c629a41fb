// natives: none
// Test: a test and the tests inside it. A parent runs as many subtests at a time as its concurrency allows and reports them in the order
// in which they began, each after everything inside it. The root (internal/test_runner/harness), suites and hooks
// (internal/test_runner/suite) and files in processes of their own (internal/test_runner/file_test) are Tests too.
'use strict';

const { kResistStopPropagation } = require('internal/symbols/events');
const { AbortController } = require('internal/events/abort');
const {
  AbortError,
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');
const { now } = require('internal/perf/clock');
const { validateAbortSignal, validateNumber, validateOneOf, validateString, validateUint32 } = require('internal/util/validators');
const { TestContext } = require('internal/test_runner/context');
const { TestsStream, kSend } = require('internal/test_runner/event_stream');
const { mismatch, readExpectFailure } = require('internal/test_runner/expected_failure');
const { failure, isFailure, types } = require('internal/test_runner/failures');
const { isFilteredByName, isFilteredByOnly } = require('internal/test_runner/filters');
const { callbackPromise, race, stopLimit } = require('internal/test_runner/limits');
const { resolveLocation } = require('internal/test_runner/location');
const { kMaxTimeout } = require('internal/test_runner/plan');
const { seededRandom } = require('internal/test_runner/random');
const { runInTest } = require('internal/test_runner/scope');
const { joinTags, kNoTags, matchesFilters, readTags } = require('internal/test_runner/tags');
const { TestTracing } = require('internal/test_runner/tracing');

const kHookNames = ['before', 'after', 'beforeEach', 'afterEach'];
const { 0: noop } = [() => {}]; // without a name, which would be the test's
const rounded = (milliseconds) => Math.round(milliseconds * 1e6) / 1e6;

// The reporter of a test that a filter leaves out.
class SilentStream extends TestsStream {
  constructor() {
    super();
  }
  [kSend]() {}
}
let silent;

class Test {
  constructor(options) {
    const { fn, name, parent = null } = options;
    this.fn = typeof fn === 'function' ? fn : noop;
    this.name = typeof name === 'string' && name !== '' ? name : this.fn.name || '<anonymous>';
    this.parent = parent instanceof Test ? parent : null;
    this.clear();
    const own = options.tags === undefined ? kNoTags : readTags(options.tags, 'options.tags');
    this.tags = joinTags(this.parent?.tags ?? kNoTags, own);
    if (this.parent === null) this.becomeRoot(options);
    else this.inherit(options);
    this.readLimits(options);
    this.readDirectives(options);
    this.location = resolveLocation(options.location, this.config.sourceMaps === true);
    if (this.root.harness.previousRuns !== null) this.replayIfPassed();
  }

  get reportedType() {
    return 'test';
  }

  clear() {
    this.testNumber = 0;
    this.outputSubtestCount = 0;
    this.diagnostics = [];
    this.isFiltered = false;
    this.isFilteredByName = false;
    this.isFilteredByTag = false;
    this.hasOnlyTests = false;
    this.mock = null;
    this.plan = null;
    this.isCancelled = false;
    this.startTime = null;
    this.endTime = null;
    this.passed = false;
    this.error = null;
    this.attempt = undefined;
    this.passedAttempt = undefined;
    this.activeSubtests = 0;
    this.pending = []; // subtests that wait for a free place: { test, resolve }
    this.isPendingScheduled = false;
    this.ready = new Map(); // subtests that have ended and not been reported, by their place in the order
    this.unfinished = new Set();
    this.subtestsDone = null;
    this.subtests = [];
    this.lastReportOrder = 0;
    this.reportOrder = 0;
    this.nextReport = 1;
    this.isFinished = false;
    this.isStartReported = false;
    this.context = null;
    this.hooks = { __proto__: null, before: [], after: [], beforeEach: [], afterEach: [], ownAfterEachCount: 0 };
  }

  becomeRoot({ harness, entryFile }) {
    this.root = this;
    this.harness = harness;
    this.config = harness.config;
    this.concurrency = 1;
    this.nesting = 0;
    this.only = this.config.only;
    this.runOnlySubtests = this.only;
    this.reporter = new TestsStream();
    this.timeout = null;
    this.entryFile = entryFile;
    this.lastTestId = 0;
    this.testId = 0;
  }

  inherit({ only }) {
    const { parent } = this;
    const { root } = parent;
    this.root = root;
    this.harness = null;
    this.config = root.harness.config;
    this.concurrency = parent.concurrency;
    this.nesting = parent.parent === null ? parent.nesting : parent.nesting + 1;
    this.only = only;
    this.runOnlySubtests = false;
    this.reporter = parent.reporter;
    this.timeout = parent.timeout;
    this.entryFile = parent.entryFile;
    this.testId = ++root.lastTestId;
    this.applyConfiguredFilters(root.harness);
  }

  // A suite stays when something inside it does.
  applyConfiguredFilters({ filtersByName, filtersByOnly, filtersByTags }) {
    if (filtersByName && !(this.isFilteredByName = this.isLeftOutByName())) {
      for (let test = this.parent; test !== null; test = test.parent) test.isFilteredByName = false;
    }
    if (filtersByTags && !(this.isFilteredByTag = !matchesFilters(this.config.testTagFilters, this.tags))) {
      for (let test = this.parent; test !== null; test = test.parent) test.isFilteredByTag = false;
    }
    if (!filtersByOnly) {
      if (this.only || this.parent.runOnlySubtests) this.diagnostic("'only' and 'runOnly' require the --test-only command-line option.");
    } else if (this.only) {
      this.parent.runOnlySubtests = true;
      if (this.parent !== this.root && this.parent.startTime !== null) return;
      for (let test = this.parent; test !== null; test = test.parent) test.hasOnlyTests = true;
    } else if (this.only === false) {
      this.fn = noop;
    }
  }

  isLeftOutByName() {
    return isFilteredByName(this);
  }

  readLimits({ concurrency, timeout, signal }) {
    if (typeof concurrency === 'number') {
      validateUint32(concurrency, 'options.concurrency', true);
      this.concurrency = concurrency;
    } else if (typeof concurrency === 'boolean') {
      const most = this.parent === null ? Math.max(require('internal/os/os').availableParallelism() - 1, 1) : Infinity;
      this.concurrency = concurrency ? most : 1;
    } else if (concurrency != null) {
      throw new ERR_INVALID_ARG_TYPE('options.concurrency', ['boolean', 'number'], concurrency);
    }
    const limit = timeout ?? this.config.timeout;
    if (limit != null && limit !== Infinity) {
      validateNumber(limit, 'options.timeout', 0, kMaxTimeout);
      this.timeout = limit;
    }
    this.abortController = new AbortController();
    this.signal = this.abortController.signal;
    validateAbortSignal(signal, 'options.signal');
    this.outerSignal = signal;
    this.onOuterAbort = () => this.abort();
    signal?.addEventListener('abort', this.onOuterAbort, { __proto__: null, [kResistStopPropagation]: true });
  }

  readDirectives({ plan, skip, todo, expectFailure, explore }) {
    if (skip) this.fn = noop;
    else if (explore !== undefined && explore !== false) this.fn = requireLater('internal/explore/test').explored(this, explore, this.fn);
    this.expectedAssertions = plan;
    this.expectFailure = readExpectFailure(expectFailure) || this.parent?.expectFailure;
    this.skipped = skip !== undefined && skip !== false;
    this.isTodo = (todo !== undefined && todo !== false) || this.parent?.isTodo;
    this.message = typeof skip === 'string' ? skip : typeof todo === 'string' ? todo : null;
    this.random = this.config.randomize ? seededRandom(this.config.randomSeed) : null;
  }

  // A test that passed in the run before is reported again with its subtests and its duration, and not run.
  replayIfPassed() {
    const previous = require('internal/test_runner/rerun').previousOutcome(this, this.root.harness);
    if (previous === undefined) return;
    this.attempt = previous.attempt;
    const { passed } = previous;
    if (passed == null) return;
    this.passedAttempt = passed.passed_on_attempt;
    this.replayedDuration = passed.duration_ms ?? 0;
    this.fn = () => {
      if (this.reportedType !== 'suite') this.pretendDuration();
      for (const { name, line, column, file } of each(passed.children ?? [])) {
        const subtest = this.createSubtest(Test, name, {}, noop, { location: { line, column, file } });
        subtest.pretendDuration();
        if (this.reportedType !== 'suite') subtest.start();
      }
    };
  }

  pretendDuration() {
    this.startTime = now();
    this.endTime = this.startTime + (this.replayedDuration ?? 0);
  }

  get fullName() {
    if (this.parent === null || this.parent.parent === null) return this.name;
    return `${this.parent.fullName} > ${this.name}`;
  }

  // "grandparent parent test", for patterns that name more than the test.
  get nameWithAncestors() {
    return this.parent === null ? '' : `${this.parent.nameWithAncestors} ${this.name}`;
  }

  createSubtest(Factory, name, options, fn, overrides) {
    if (typeof name === 'function') {
      fn = name;
    } else if (name !== null && typeof name === 'object') {
      fn = options;
      options = name;
    } else if (typeof options === 'function') {
      fn = options;
    }
    if (options === null || typeof options !== 'object') options = {};
    // The error of a test whose parent has ended is reported at the top.
    const isLate = this.isFinished || this.isBuilt === true;
    const parent = isLate ? this.root : this;
    const test = new Factory({ __proto__: null, fn, name, parent, ...options, ...overrides });
    parent.subtestsDone ??= Promise.withResolvers();
    if (isLate) test.fail(failure('test could not be started because its parent finished', types.parentFinished));
    arrayPush.call(parent.subtests, test);
    return test;
  }

  createHook(name, fn, options, location) {
    validateOneOf(name, 'hook name', kHookNames);
    const { TestHook } = require('internal/test_runner/suite');
    const hook = new TestHook(fn, { __proto__: null, ...options, parent: this, hookType: name, location });
    if (name === 'before' && this.startTime !== null) {
      promiseThen(hook.run(this.runArguments()), () => {
        if (hook.error !== null) this.fail(hook.error);
      });
    }
    if (name === 'afterEach') {
      // A test's own hooks run before those of its ancestors.
      arraySplice.call(this.hooks.afterEach, this.hooks.ownAfterEachCount++, 0, hook);
    } else {
      arrayPush.call(this.hooks[name], hook);
    }
  }

  inheritHooks() {
    const { beforeEach, afterEach } = this.parent.hooks;
    this.hooks.beforeEach = [...each(beforeEach), ...each(this.hooks.beforeEach)];
    this.hooks.afterEach = [...each(this.hooks.afterEach), ...each(afterEach)];
  }

  abort() {
    const error = this.outerSignal?.reason || new AbortError('The test was aborted');
    error.failureType = types.aborted;
    this.cancel(error);
  }

  abortIfAsked() {
    if (!this.signal.aborted && !this.outerSignal?.aborted) return false;
    this.abort();
    return true;
  }

  cancel(error = failure('test did not finish before its parent and was cancelled', types.cancelledByParent)) {
    if (this.endTime !== null || this.error !== null) return;
    this.fail(error);
    this.isCancelled = true;
    this.abortController.abort();
  }

  fail(error) {
    if (this.error !== null) return;
    this.passed = false;
    if (this.expectFailure) {
      const wrong = mismatch(this.expectFailure, error);
      this.passed = wrong === undefined;
      error = wrong ?? error;
    }
    this.error = error;
  }

  pass() {
    if (this.error !== null) return;
    if (this.expectFailure && !this.skipped) this.error = failure('test was expected to fail but passed', types.expectedFailure);
    this.passed = this.error === null;
  }

  skip(message) {
    this.skipped = true;
    this.message = message;
  }

  todo(message) {
    this.isTodo = true;
    this.message = message;
  }

  diagnostic(message) {
    arrayPush.call(this.diagnostics, message);
  }

  log(message, data) {
    validateString(message, 'message');
    this.reporter.log(this, message, data);
  }

  getContext() {
    return (this.context ??= new TestContext(this));
  }

  runArguments() {
    const context = this.getContext();
    return { __proto__: null, context, args: [context] };
  }

  // --- running subtests ---

  get hasFreePlace() {
    return this.concurrency > this.activeSubtests;
  }

  // Begins, or waits for a place among its siblings. The promise settles when it has run.
  start() {
    if (this.error === null) this.isFiltered = this.isFilteredByName || isFilteredByOnly(this) || this.isFilteredByTag;
    const { parent } = this;
    if (this.isFiltered) {
      this.reporter = silent ??= new SilentStream();
    } else {
      this.testNumber = ++parent.outputSubtestCount;
    }
    parent.unfinished.add(this);
    this.reporter.queued('test:enqueue', this, this.reportedType);
    if (this.root.harness.isBuilding || !parent.hasFreePlace) return parent.queue(this);
    if (parent.random !== null) {
      // Siblings that are declared in the same turn are all candidates for the first place.
      const done = parent.queue(this);
      parent.schedulePending();
      return done;
    }
    parent.giveReportOrder(this);
    this.reporter.queued('test:dequeue', this, this.reportedType);
    return this.isFiltered ? this.runFiltered() : this.run();
  }

  queue(test) {
    const { promise, resolve } = Promise.withResolvers();
    arrayPush.call(this.pending, { __proto__: null, test, resolve });
    return promise;
  }

  schedulePending() {
    if (this.isPendingScheduled) return;
    this.isPendingScheduled = true;
    queueMicrotask(() => {
      this.isPendingScheduled = false;
      this.runPending();
    });
  }

  async runPending() {
    while (this.pending.length > 0 && this.hasFreePlace) {
      const index = this.random === null || this.pending.length < 2 ? 0 : Math.floor(this.random() * this.pending.length);
      const {
        0: { test, resolve },
      } = arraySplice.call(this.pending, index, 1);
      this.giveReportOrder(test);
      test.reporter.queued('test:dequeue', test, test.reportedType);
      await (test.isFiltered ? test.runFiltered() : test.run());
      resolve();
    }
  }

  giveReportOrder(subtest) {
    if (subtest.reportOrder === 0) subtest.reportOrder = ++this.lastReportOrder;
  }

  async runFiltered() {
    this.pass();
    this.subtests = [];
    queueMicrotask(() => this.postRun());
  }

  // --- running this test ---

  async runHooks(name, args) {
    try {
      for (const hook of each(this.hooks[name])) {
        await hook.run(args);
        if (hook.error) throw hook.error;
      }
    } catch (error) {
      const result = failure(`failed running ${name} hook`, types.hook);
      result.cause = isFailure(error) ? error.cause : error;
      throw result;
    }
  }

  async run() {
    if (this.parent !== null) {
      this.parent.activeSubtests++;
      this.inheritHooks();
    }
    this.startTime ??= now();
    if (this.abortIfAsked()) return this.postRun();
    const args = this.runArguments();
    if (this.plan === null && this.expectedAssertions) args.context.plan(this.expectedAssertions);
    const tracing = this.hookType === undefined ? new TestTracing(this) : null;
    const after = this.makeAfter(args);
    const limit = { current: null };
    try {
      // Without hooks the function is called at once, on the stack of what declared the test.
      if (this.parent !== null && this.parent.hooks.before.length > 0) await this.parent.runHooks('before', this.parent.runArguments());
      if (this.parent !== null && this.parent.hooks.beforeEach.length > 0 && !this.skipped) await this.parent.runHooks('beforeEach', args);
      limit.current = stopLimit(this.timeout, this.signal);
      await this.finishBody(this.callFunction(tracing, args), limit.current.promise);
      this.pass();
      await after.each();
      await after.all();
    } catch (error) {
      tracing?.error(error);
      this.failWith(error);
      try {
        await after.each();
      } catch {
        /* the test has failed already */
      }
      try {
        await after.all();
      } catch {
        /* the test has failed already */
      }
    } finally {
      limit.current?.dispose();
      // Hooks run again for other tests, and the root has tests to come.
      if (this.parent !== null) this.abortController.abort();
      tracing?.end();
    }
    if (this.parent !== null || this.hookType !== undefined) this.checkLeftovers();
    else if (this.config.forceExit) await this.harness.exitNow();
    else require('internal/test_runner/leftovers').explainSoon();
  }

  checkLeftovers() {
    if (this.config.leaks && this.hookType === undefined && this.passed) {
      const error = require('internal/test_runner/leftovers').leakOf(this);
      if (error !== undefined) this.fail(error);
    }
    this.postRun();
  }

  // The hooks behind the test; those of the parent are called once, however the test ends.
  makeAfter(args) {
    const wasSkipped = this.skipped;
    let eachDone;
    return {
      each: () =>
        (eachDone ??= (async () => {
          if (this.parent !== null && this.parent.hooks.afterEach.length > 0 && !wasSkipped) await this.parent.runHooks('afterEach', args);
        })()),
      all: async () => {
        if (this.hooks.after.length > 0) await this.runHooks('after', args);
      },
    };
  }

  async finishBody(called, stopped) {
    await race([called, stopped]);
    this.abortIfAsked();
    if (this.subtestsDone !== null) await race([this.subtestsDone.promise, stopped]);
    const planMet = this.plan?.check();
    if (planMet !== undefined) await race([planMet, stopped]);
  }

  callFunction(tracing, { context, args }) {
    const fn = tracing === null ? this.fn : tracing.wrap(this.fn, this);
    if (this.fn.length !== args.length + 1) return Promise.resolve(runInTest(this, fn, context, args));
    const { promise, callback } = callbackPromise();
    const returned = runInTest(this, fn, context, [...each(args), callback]);
    if (!require('internal/util/types').isPromise(returned)) return promise;
    this.fail(failure('passed a callback but also returned a Promise', types.callbackAndPromise));
    return returned;
  }

  failWith(error) {
    if (!isFailure(error)) this.fail(failure(error, types.testCode));
    else if (error.failureType === types.timeout) {
      require('internal/test_runner/leftovers').explainTimeout(this);
      this.cancel(error);
    } else this.fail(error);
  }

  // --- after it has run ---

  // Tests that still run inside it are cancelled, with `error` when one is given.
  postRun(error) {
    this.endTime ??= now();
    this.startTime ??= this.endTime;
    this.pending = [];
    let failed = 0;
    for (const subtest of each(this.subtests)) {
      if (!subtest.isFinished) {
        subtest.cancel(error);
        subtest.postRun(error);
      }
      if (!subtest.passed && !subtest.isTodo) failed++;
    }
    if ((this.passed || this.parent === null) && failed > 0) {
      this.fail(failure(`${failed} subtest${failed > 1 ? 's' : ''} failed`, types.subtests));
    }
    this.outerSignal?.removeEventListener('abort', this.onOuterAbort);
    this.mock?.reset();
    if (this.parent === null) {
      this.harness.finish();
      return;
    }
    if (!this.isFiltered) {
      const report = this.makeReport();
      report.details.passed = this.passed;
      this.testNumber ||= ++this.parent.outputSubtestCount;
      this.reporter.outcome('test:complete', this, report);
      this.parent.activeSubtests--;
    }
    this.parent.addReady(this);
    this.parent.reportReady(false);
    this.parent.runPending();
  }

  addReady(subtest) {
    this.giveReportOrder(subtest);
    this.ready.set(subtest.reportOrder, subtest);
    if (this.unfinished.delete(subtest) && this.unfinished.size === 0) this.subtestsDone.resolve();
  }

  // Reports subtests whose turn it is. A subtest inside a test whose turn it is not waits.
  reportReady(canSend) {
    for (let subtest; (subtest = this.ready.get(this.nextReport)) !== undefined; ) {
      canSend ||= this.isClearToSend();
      if (!canSend) return;
      this.ready.delete(this.nextReport);
      subtest.finalize();
    }
  }

  isClearToSend() {
    return this.parent === null || (this.parent.nextReport === this.reportOrder && this.parent.isClearToSend());
  }

  // It has ended, everything inside it has, and it is its turn.
  finalize() {
    this.reportReady(true);
    if (!this.isFiltered) this.report();
    this.parent.nextReport++;
    this.isFinished = true;
    // All known tests have run: the root's `after` hooks may close what keeps the process alive.
    const { root } = this;
    if (this.parent === root && root.nextReport > root.subtests.length) root.run();
  }

  duration() {
    return rounded(this.endTime - this.startTime);
  }

  makeReport() {
    let directive;
    if (this.skipped) directive = { __proto__: null, skip: this.message ?? true };
    else if (this.isTodo) directive = { __proto__: null, todo: this.message ?? true };
    else if (this.expectFailure) directive = { __proto__: null, expectFailure: this.expectFailure.label ?? true };
    const details = { __proto__: null, duration_ms: this.duration(), type: this.reportedType };
    if (!this.passed) details.error = this.error;
    if (this.attempt !== undefined) details.attempt = this.attempt;
    if (this.passedAttempt !== undefined) details.passed_on_attempt = this.passedAttempt;
    return { __proto__: null, details, directive };
  }

  report() {
    this.root.harness.count(this);
    if (this.outputSubtestCount > 0) this.reporter.plan(this.subtests[0].nesting, this.location, this.outputSubtestCount);
    else this.reportStart();
    this.reporter.outcome(this.passed ? 'test:pass' : 'test:fail', this, this.makeReport());
    for (const message of each(this.diagnostics)) this.reporter.diagnostic(this.nesting, this.location, message);
  }

  reportStart() {
    if (this.isStartReported || this.parent === null) return;
    this.isStartReported = true;
    this.parent.reportStart();
    this.reporter.start(this);
  }

  clearTimes() {
    this.startTime = now();
    this.endTime = null;
  }
}

module.exports = { Test, noop };

// natives: modules
// The root test of this process and what surrounds it: counters, reporters, exceptions that no test caught, the end of the process.
// The first test that is declared makes it, or run() does.
'use strict';

const { now } = require('internal/perf/clock');
const { commandLineOptions } = require('internal/test_runner/options');
const { failure, types } = require('internal/test_runner/failures');
const { callerLocation } = require('internal/test_runner/location');
const { currentTest, isReporter } = require('internal/test_runner/scope');
const { Suite } = require('internal/test_runner/suite');
const { Test } = require('internal/test_runner/test');

const kMaxTimeout = 2 ** 31 - 1;
const kPendingMessage = 'Promise resolution is still pending but the event loop has already resolved';

let globalRoot = null;
let isGlobalSetupDone = false;

class Harness {
  #assertions = null;
  #isReported = false;
  #listeners = []; // of the process: [event, listener]
  root = null;
  isWatching = false;
  success = true;
  coverage = null;
  snapshots = null;
  previousRuns = null;
  globalTeardown = null;
  // Tests that are declared while reporters and global setup begin wait for `bootstrap`; then for the suites, whose functions may be async.
  bootstrap = null;
  isBuilding = true;
  #built = null;
  #suites = [];

  constructor(config) {
    this.config = config;
    this.filtersByName = Boolean(config.testNamePatterns || config.testSkipPatterns);
    this.filtersByOnly = config.isolation === 'process' || process.env.NODE_TEST_CONTEXT ? config.only : true;
    this.filtersByTags = config.testTagFilters != null;
    this.resetCounters();
  }

  resetCounters() {
    this.counters = { __proto__: null, tests: 0, failed: 0, passed: 0, cancelled: 0, skipped: 0, todo: 0, topLevel: 0, suites: 0 };
  }

  // `test` is a Test, or what a file's process told about one.
  count({ nesting, reportedType, passed, isTodo, skipped, isCancelled }) {
    const { counters } = this;
    if (nesting === 0) counters.topLevel++;
    if (reportedType === 'suite') {
      counters.suites++;
      if (!passed && !isTodo) this.success = false;
      return;
    }
    counters.tests++;
    if (skipped) {
      counters.skipped++;
    } else if (isTodo) {
      counters.todo++;
    } else if (isCancelled) {
      counters.cancelled++;
      this.success = false;
    } else if (!passed) {
      counters.failed++;
      this.success = false;
    } else {
      counters.passed++;
    }
  }

  // The functions behind t.assert, by name.
  assertions() {
    if (this.#assertions !== null) return this.#assertions;
    const { assertionMap } = require('internal/test_runner/assert');
    const { SnapshotManager } = require('internal/test_runner/snapshot');
    const assertions = (this.#assertions = assertionMap());
    this.snapshots = new SnapshotManager(this.config.updateSnapshots);
    if (!assertions.has('snapshot')) assertions.set('snapshot', this.snapshots.makeAssertion());
    if (!assertions.has('fileSnapshot')) assertions.set('fileSnapshot', this.snapshots.makeFileAssertion());
    return assertions;
  }

  fault(message) {
    this.root.diagnostic(message);
    this.success = false;
    process.exitCode = 1;
  }

  async runGlobalSetup() {
    if (isGlobalSetupDone) return;
    isGlobalSetupDone = true;
    if (!this.config.globalSetupPath) return;
    const { loadGlobalSetup } = require('internal/test_runner/global_setup');
    const { setup, teardown } = await loadGlobalSetup(this.config.globalSetupPath, this.config.cwd);
    this.globalTeardown = teardown;
    await setup?.();
  }

  startCoverage() {
    if (!this.config.coverage) return;
    try {
      this.coverage = require('internal/test_runner/coverage').startTestCoverage(this.config);
    } catch (error) {
      this.fault(`Warning: Code coverage could not be enabled. ${error}`);
    }
  }

  #collectCoverage() {
    if (this.coverage === null) return null;
    let summary = null;
    try {
      summary = this.coverage.summary();
    } catch (error) {
      this.fault(`Warning: Could not report code coverage. ${error}`);
    }
    try {
      this.coverage.cleanUp();
    } catch (error) {
      this.fault(`Warning: Could not clean up code coverage. ${error}`);
    }
    return summary;
  }

  startRerun() {
    const { rerunFailuresFilePath: path } = this.config;
    if (!path) return;
    const { Places, readRuns, rerunReporter } = require('internal/test_runner/rerun');
    this.places = new Places();
    this.previousRuns = readRuns(path);
    if (this.previousRuns === null) {
      this.fault(
        `Warning: The rerun failures file at ${path} is not a valid rerun file. The test runner will not be able to rerun failed tests.`,
      );
    } else if (!process.env.NODE_TEST_CONTEXT) {
      const { PassThrough, compose } = require('internal/streams/stream');
      compose(this.root.reporter, rerunReporter(this.previousRuns, this.config)).pipe(new PassThrough());
    }
  }

  // Waits until a test may begin.
  async ready(test) {
    if (this.bootstrap !== null) {
      await this.bootstrap;
      this.bootstrap = null;
    }
    if (test.built !== undefined) arrayPush.call(this.#suites, test.built);
    if (this.#built === null) {
      this.#built = Promise.withResolvers();
      queueMicrotask(async () => {
        if (this.#suites.length > 0) await Promise.all(this.#suites);
        this.#built.resolve();
      });
    }
    await this.#built.promise;
    this.isBuilding = false;
  }

  skipBuilding() {
    this.bootstrap = null;
    this.isBuilding = false;
  }

  // The root has run: totals, coverage, the end of the stream.
  finish() {
    if (this.#isReported) return;
    this.#isReported = true;
    const { root, counters, config } = this;
    const { nesting, location, reporter } = root;
    const note = (message, level) => reporter.diagnostic(nesting, location, message, level);
    reporter.plan(nesting, location, counters.topLevel);
    const coverage = this.#collectCoverage();
    this.snapshots?.writeFiles();
    for (const message of each(root.diagnostics)) note(message);
    const duration = root.duration();
    const { tests, suites, passed, failed, cancelled, skipped, todo } = counters;
    const totals = { tests, suites, pass: passed, fail: failed, cancelled, skipped, todo, duration_ms: duration };
    for (const name of each(Object.keys(totals))) note(`${name} ${totals[name]}`);
    if (coverage !== null) {
      this.#checkThresholds(coverage.totals, config, note);
      reporter.coverage(nesting, location, coverage);
    }
    reporter.summary(location?.file, this.success, counters, duration);
    if (!this.isWatching) {
      reporter.end();
      return;
    }
    this.#isReported = false;
    this.resetCounters();
    this.#assertions = null;
  }

  #checkThresholds(totals, { lineCoverage, branchCoverage, functionCoverage }, note) {
    const rules = [
      ['line', totals.coveredLinePercent, lineCoverage],
      ['branch', totals.coveredBranchPercent, branchCoverage],
      ['function', totals.coveredFunctionPercent, functionCoverage],
    ];
    for (const { 0: name, 1: actual, 2: threshold } of each(rules)) {
      if (!(actual < threshold)) continue;
      this.success = false;
      process.exitCode = 1;
      note(`Error: ${numberToFixed.call(actual, 2)}% ${name} coverage does not meet threshold of ${threshold}%.`, 'error');
    }
  }

  // --- the process ---

  #listen(event, listener) {
    process.on(event, listener);
    arrayPush.call(this.#listeners, { event, listener });
  }

  attach() {
    this.#listen('uncaughtException', (error) => this.#onUncaught(error, 'uncaughtException'));
    this.#listen('unhandledRejection', (error) => this.#onUncaught(error, 'unhandledRejection'));
    this.#listen('beforeExit', () => this.tearDown());
    if (!this.config.isTestRunner) return;
    for (const signal of each(['SIGINT', 'SIGTERM'])) this.#listen(signal, () => this.#interrupt());
  }

  #onUncaught(error, event) {
    if (this.bootstrap !== null || isReporter()) throw error;
    const test = currentTest();
    if (test !== undefined && !test.isFinished && test.hookType === undefined) {
      test.fail(failure(error, event));
      test.abortController.abort();
      return;
    }
    this.fault(this.#describeLate(test, error, event));
  }

  #describeLate(test, error, event) {
    if (test === undefined) {
      return (
        `Error: A resource generated asynchronous activity after the test ended. This activity created the error "${error}" which ` +
        `triggered an ${event} event, caught by the test runner.`
      );
    }
    const name = test.hookType === undefined ? `Test "${test.name}"` : `Test hook "${test.hookType}"`;
    const { location } = test;
    const { relative } = require('internal/path/path');
    const place = location === undefined ? '' : ` at ${relative(this.config.cwd, location.file)}:${location.line}:${location.column}`;
    return (
      `Error: ${name}${place} generated asynchronous activity after the test ended. This activity created the error "${error}" and ` +
      `would have caused the test to fail, but instead triggered an ${event} event.`
    );
  }

  // Nothing is left to do in the process, or the run is over.
  async tearDown(isKilled = false) {
    const { root } = this;
    if (root.subtests.length === 0 && (root.hooks.before.length > 0 || root.hooks.after.length > 0)) await root.run();
    if (!isKilled && root.subtestsDone !== null && mayGoOn()) {
      const keepAlive = setInterval(() => {}, kMaxTimeout);
      await root.subtestsDone.promise;
      clearInterval(keepAlive);
    }
    root.postRun(failure(kPendingMessage, types.cancelledByParent));
    const { globalTeardown } = this;
    this.globalTeardown = null;
    if (globalTeardown) await globalTeardown();
    for (const { event, listener } of each(this.#listeners)) process.removeListener(event, listener);
    this.#listeners = [];
  }

  #runningTests(test = this.root, running = []) {
    if (test.startTime === null || test.isFinished) return running;
    for (const subtest of each(test.subtests)) this.#runningTests(subtest, running);
    if (test.activeSubtests > 0 || test === this.root) return running;
    const { name, nesting, location } = test;
    arrayPush.call(running, { __proto__: null, name, nesting, file: location?.file, line: location?.line, column: location?.column });
    return running;
  }

  async #interrupt() {
    const running = this.#runningTests();
    if (running.length > 0) {
      this.root.reporter.interrupted(running);
      require('internal/test_runner/leftovers').explainRunning([this.root]);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    await this.tearDown(true);
    process.exit();
  }

  // --test-force-exit: the destinations of the reporters are written to the end first.
  async exitNow() {
    const { connectedReporters } = require('internal/test_runner/reporters');
    const written = arrayMap.call(
      connectedReporters(),
      ({ destination }) =>
        new Promise((resolve) => {
          destination.on('unpipe', () => {
            if (!destination.closed && typeof destination.close === 'function') destination.close(resolve);
            else resolve();
          });
        }),
    );
    this.tearDown();
    await Promise.all(written);
    process.exit();
  }
}

// The loop has nothing left to do. Something that is unref'd may still wake a test; without any, a pending test waits for ever.
function mayGoOn() {
  const { hasAny } = require('internal/async_hooks/active_resources');
  return hasAny() || require('internal/timers/timers').hasTimers() || native('modules').hasLoadedBuiltin('worker_threads');
}

function createRoot(options, config) {
  const harness = new Harness(config);
  harness.bootstrap = harness.runGlobalSetup();
  const root = (globalRoot = harness.root = new Test({ __proto__: null, ...options, harness, name: '<root>' }));
  require('internal/test_runner/leftovers').watch(config.leaks);
  harness.startCoverage();
  harness.startRerun();
  harness.attach();
  root.startTime = now();
  return root;
}

// The root of a program that declares tests without --test and run().
function getRoot() {
  if (globalRoot !== null) return globalRoot;
  const entryFile = process.argv?.[1];
  const config = commandLineOptions();
  config.cwd = process.cwd();
  const location = entryFile ? { line: 1, column: 1, file: entryFile } : undefined;
  const root = createRoot({ entryFile, location }, config);
  const { harness } = root;
  root.reporter.on('test:summary', ({ success }) => {
    if (!success) process.exitCode = 1;
  });
  harness.bootstrap = Promise.all([harness.bootstrap, require('internal/test_runner/reporters').connectTo(root.reporter, config)]);
  return root;
}

async function startWhenReady(test) {
  const { harness } = test.root;
  if (harness.isBuilding) await harness.ready(test);
  await test.start();
}

function declare(Factory, name, options, fn, overrides) {
  const parent = currentTest() ?? getRoot();
  const test = parent.createSubtest(Factory, name, options, fn, overrides);
  return parent instanceof Suite ? Promise.resolve() : startWhenReady(test);
}

function makeDeclarer(Factory) {
  const test = (name, options, fn) => declare(Factory, name, options, fn, { location: callerLocation(test) });
  for (const word of each(['expectFailure', 'skip', 'todo', 'only'])) {
    const { [word]: marked } = {
      [word]: (name, options, fn) => declare(Factory, name, options, fn, { [word]: true, location: callerLocation(marked) }),
    };
    test[word] = marked;
  }
  return test;
}

function makeHook(name) {
  const hook = (fn, options) => (currentTest() ?? getRoot()).createHook(name, fn, options, callerLocation(hook));
  return hook;
}

const getTestContext = () => currentTest()?.getContext();

module.exports = {
  after: makeHook('after'),
  afterEach: makeHook('afterEach'),
  before: makeHook('before'),
  beforeEach: makeHook('beforeEach'),
  createRoot,
  getTestContext,
  startWhenReady,
  suite: makeDeclarer(Suite),
  test: makeDeclarer(Test),
};

// natives: none
// run() and `rondo --test`: finds test files and runs each in a process of its own, or all in this one.
'use strict';

const { isAbsolute, resolve } = require('internal/path/path');
const { pathToFileURL } = require('internal/url/url');
const { runInTest } = require('internal/test_runner/scope');
const { createRoot, startWhenReady } = require('internal/test_runner/harness');
const { commandLineOptions, defaultPattern } = require('internal/test_runner/options');
const { readRunOptions } = require('internal/test_runner/run_options');
const { Test } = require('internal/test_runner/test');

const debug = require('internal/util/debuglog').debuglog('test_runner');

const kMagic = /[*?[\]{}()!+@\\]/;

// Files that match the patterns, sorted. A pattern that is a plain name must be there.
function findFiles(patterns, cwd) {
  const { globSync, statSync } = require('internal/fs/fs');
  const wanted = patterns == null || patterns.length === 0 ? [defaultPattern()] : patterns;
  const found = globSync(wanted, { __proto__: null, cwd, exclude: (name) => name === 'node_modules' });
  if (patterns != null && found.length === 0 && arrayEvery.call(wanted, (pattern) => !regexpTest.call(kMagic, pattern))) {
    process.stderr.write(`Could not find '${arrayJoin.call(wanted, ', ')}'\n`);
    process.exit(1);
  }
  const isFile = (path) => !statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory();
  return arraySort.call(arrayFilter.call(found, isFile));
}

// NODE_TEST_WORKER_ID: numbers from 1 up to the concurrency, one for each process that runs.
class WorkerIds {
  #last = 0;
  #most;

  constructor(concurrency) {
    this.#most =
      concurrency === true
        ? Math.max(require('internal/os/os').availableParallelism() - 1, 1)
        : typeof concurrency === 'number'
          ? concurrency
          : 1;
  }

  next() {
    return (this.#last++ % this.#most) + 1;
  }
}

// --test-isolation=none: the files are imported here, one after another; then their tests run.
class FilesInProcess {
  constructor(options) {
    this.options = options;
  }

  async run() {
    const { root } = this.options;
    const { harness } = root;
    const { promise: loaded, resolve: finishLoading } = Promise.withResolvers();
    await runInTest(
      root,
      () => {
        harness.bootstrap = Promise.all([harness.bootstrap, loaded]);
        return this.#load();
      },
      undefined,
      [],
    );
    root.entryFile = null;
    finishLoading();
    return root.runPending();
  }

  async #load() {
    const { root, testFiles, cwd } = this.options;
    const { importFrom } = require('internal/test_runner/loading');
    await this.#preload();
    for (const file of each(testFiles)) {
      const path = resolve(cwd, file);
      const before = root.subtests.length;
      let failed = null;
      root.entryFile = path;
      try {
        await importFrom(pathToFileURL(path).href, cwd);
      } catch (error) {
        failed = { error };
      }
      if (failed !== null || root.subtests.length === before) this.#addFile(file, path, failed);
    }
  }

  // The modules of --require and --import may declare tests and hooks.
  async #preload() {
    if (!this.options.isTestRunner) return;
    const { preloadImports, preloadRequires } = require('internal/modules/run_main');
    preloadRequires();
    await new Promise((done) => {
      preloadImports(done);
    });
  }

  // A file without tests is one itself; so is a file that throws while it declares them.
  #addFile(file, path, failed) {
    const { root } = this.options;
    const test = root.createSubtest(Test, file, {}, undefined, { location: { line: 1, column: 1, file: path } });
    if (failed !== null) test.fail(failed.error);
    startWhenReady(test);
  }
}

class Run {
  constructor(given) {
    const checked = readRunOptions(given);
    const config = { __proto__: null, ...commandLineOptions() };
    const own = [
      'setup',
      'coverage',
      'coverageIncludeAll',
      'coverageExcludeGlobs',
      'coverageIncludeGlobs',
      'rerunFailuresFilePath',
      'lineCoverage',
      'branchCoverage',
      'functionCoverage',
      'cwd',
      'globalSetupPath',
      'randomize',
      'randomSeed',
      'testTagFilters',
    ];
    for (const key of each(own)) config[key] = checked[key];
    const { concurrency, timeout, signal, shard, files, globPatterns, cwd, randomize, randomSeed } = checked;
    this.root = createRoot({ __proto__: null, concurrency, timeout, signal }, config);
    if (randomize) this.root.diagnostic(`Randomized test order seed: ${randomSeed}`);
    let testFiles = files ?? findFiles(globPatterns, cwd);
    if (shard !== undefined) testFiles = arrayFilter.call(testFiles, (file, index) => index % shard.total === shard.index - 1);
    this.options = {
      ...checked,
      root: this.root,
      testFiles,
      hasFiles: files != null,
      isTestRunner: config.isTestRunner,
      showsColors: require('internal/test_runner/reporters').showsColors(config.destinations),
      workerIds: checked.isolation === 'process' ? new WorkerIds(config.concurrency ?? concurrency) : null,
    };
  }

  start() {
    const { isolation, watch, cwd, testFiles } = this.options;
    if (isolation === 'process' && process.env.NODE_TEST_CONTEXT !== undefined) {
      process.emitWarning('node:test run() is being called recursively within a test file. skipping running files.');
      this.root.postRun();
      return this.root.reporter;
    }
    if (isolation === 'none') process.env.NODE_TEST_WORKER_ID = '1';
    let run;
    if (watch) {
      const { FileWatch } = require('internal/test_runner/watch');
      const files = isolation === 'none' ? arrayMap.call(testFiles, (file) => (isAbsolute(file) ? file : resolve(cwd, file))) : testFiles;
      const watcher = new FileWatch(files, this.options, findFiles);
      run = () => watcher.runAll();
    } else {
      run = isolation === 'none' ? () => new FilesInProcess(this.options).run() : () => this.#runInProcesses();
    }
    this.#chain(run);
    return this.root.reporter;
  }

  async #runInProcesses() {
    const { runFile } = require('internal/test_runner/file_test');
    const { root, options } = this;
    root.harness.skipBuilding();
    await Promise.allSettled(arrayMap.call(options.testFiles, (file) => runFile(file, options)));
    root.postRun();
    root.harness.tearDown();
  }

  async #chain(run) {
    const { harness } = this.root;
    if (harness.bootstrap !== null) await harness.bootstrap;
    // A listener that is added behind `await run()` hears of everything.
    for (let i = 0; i < 3; i++) await undefined;
    const { setup } = this.options;
    if (typeof setup === 'function') await setup(this.root.reporter);
    await run();
  }
}

const run = (options = {}) => new Run(options).start();

function runWith(options, globPatterns) {
  const { connectTo } = require('internal/test_runner/reporters');
  const stream = run({ ...options, globPatterns, setup: (reporter) => connectTo(reporter, options) });
  stream.on('test:summary', ({ success }) => {
    if (!success) process.exitCode = 1;
  });
}

// `rondo --test PATTERN…`
function runFromCommandLine(globPatterns) {
  const options = commandLineOptions();
  debug('test runner configuration:', { ...options, globPatterns });
  if (options.isolation === 'none') return runWith(options, globPatterns);
  // As in Node: --require runs here, too, --import in the processes of the files alone.
  require('internal/modules/run_main').preloadRequires();
  return runWith(options, globPatterns);
}

module.exports = { run, runFromCommandLine };

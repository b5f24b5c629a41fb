// natives: none
// A test file that runs in a process of its own. Its events are passed on as if its tests were here: those about the order of execution
// at once, the rest when it is the file's turn to be reported.
'use strict';

const { spawn } = require('internal/child_process/child_process');
const { resolve } = require('internal/path/path');
const { StringDecoder } = require('internal/buffer/string_decoder');
const { kSend } = require('internal/test_runner/event_stream');
const { deserializeError } = require('internal/test_runner/error_copy');
const { EventParser } = require('internal/test_runner/event_parser');
const { failure, isCancelling, types } = require('internal/test_runner/failures');
const { Test } = require('internal/test_runner/test');

const kImmediateEvents = ['test:enqueue', 'test:dequeue', 'test:complete', 'test:log'];
const kPage = /\.x?html?$/i;
const kTotals = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) \S+$/;

class FileTest extends Test {
  get isFile() {
    return true;
  }

  #waiting = []; // events that have come before it was this file's turn
  #outcomes = 0;
  hasFailedTests = false;

  constructor(options) {
    super(options);
    this.location ??= { __proto__: null, line: 1, column: 1, file: resolve(this.config.cwd ?? '', this.name) };
    this.timeout = null;
    // The name of the one process that runs all files (watching without isolation) is empty.
    if (options.name === '') this.name = '';
  }

  // The file is a test of its own when it declares none, or fails for another reason than its tests.
  get isHidden() {
    return this.#outcomes > 0 && (!this.error || this.error.failureType === types.subtests);
  }

  add(item) {
    if (arrayIncludes.call(kImmediateEvents, item.type)) return this.#passOn(item);
    if (item.type === 'test:pass' || item.type === 'test:fail') {
      this.#outcomes++;
      if (item.data.nesting === 0 && item.type === 'test:fail') this.hasFailedTests = true;
    }
    if (!this.isClearToSend()) return arrayPush.call(this.#waiting, item);
    this.drain();
    return this.#passOn(item);
  }

  drain() {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const item of each(waiting)) this.#passOn(item);
  }

  #passOn({ type, data }) {
    if (this.name !== '') data.entryFile = this.location.file;
    const isTopLevel = data.nesting === 0;
    if (isTopLevel && type === 'test:plan' && this.isHidden) return;
    if (isTopLevel && type === 'test:diagnostic' && regexpTest.call(kTotals, data.message)) return;
    if (data.details?.error) data.details.error = deserializeError(data.details.error);
    if (type === 'test:pass' || type === 'test:fail') this.#count(type, data, isTopLevel);
    this.reporter[kSend](type, data);
  }

  #count(type, data, isTopLevel) {
    const { harness } = this.root;
    if (isTopLevel) data.testNumber = harness.counters.topLevel + 1;
    harness.count({
      nesting: data.nesting,
      reportedType: data.details?.type,
      passed: type === 'test:pass',
      skipped: data.skip !== undefined,
      isTodo: data.todo !== undefined,
      isCancelled: isCancelling(data.details?.error?.failureType),
    });
  }

  reportStart() {}

  report() {
    this.drain();
    if (this.isHidden) return;
    super.reportStart();
    super.report();
  }
}

// Options of ours that a file's process must not have, alone or with a value.
const kOwnFlags = ['--test', '--experimental-test-coverage', '--test-randomize', '--watch'];
const kOwnValues = [
  '-e',
  '--eval',
  '-p',
  '--print',
  '-pe',
  '--experimental-test-tag-filter',
  '--test-reporter',
  '--test-reporter-destination',
  '--test-random-seed',
  '--test-global-setup',
  '--test-shard',
  '--test-concurrency',
  '--test-isolation',
  '--experimental-test-isolation',
];

function inheritedOptions(given) {
  const kept = [];
  for (let i = 0; i < given.length; i++) {
    const option = given[i];
    if (arrayIncludes.call(kOwnFlags, option)) continue;
    if (arrayIncludes.call(kOwnValues, option)) i++;
    else if (!arraySome.call(kOwnValues, (name) => stringStartsWith.call(option, `${name}=`))) arrayPush.call(kept, option);
  }
  return kept;
}

// `path`: the file, or null for one process that runs them all.
function childArguments(path, options) {
  const args = inheritedOptions(process.execArgv);
  const add = (name, values) => {
    for (const value of each(values ?? [])) arrayPush.call(args, `${name}=${value}`);
  };
  if (options.forceExit === true) arrayPush.call(args, '--test-force-exit');
  add('--test-name-pattern', options.testNamePatterns);
  add('--test-skip-pattern', options.testSkipPatterns);
  add('--experimental-test-tag-filter', options.testTagFilterExpressions);
  if (options.only === true) arrayPush.call(args, '--test-only');
  if (options.root.timeout !== null) add('--test-timeout', [options.root.timeout]);
  if (options.rerunFailuresFilePath) add('--test-rerun-failures', [options.rerunFailuresFilePath]);
  if (options.randomize) arrayPush.call(args, '--test-randomize');
  if (options.randomSeed != null) add('--test-random-seed', [options.randomSeed]);
  if (path !== null && regexpTest.call(kPage, path)) arrayPush.call(args, '--loop=html');
  const files =
    path === null
      ? ['--test', '--test-isolation=none', ...each(options.hasFiles ? options.testFiles : (options.globPatterns ?? []))]
      : [path];
  return [...each(args), ...each(options.execArgv), ...each(files), ...each(options.argv)];
}

function childEnvironment(options, watcher) {
  const env = { __proto__: null, NODE_TEST_CONTEXT: 'child-v8', ...(options.env || process.env) };
  if (options.workerIds !== null) env.NODE_TEST_WORKER_ID = String(options.workerIds.next());
  if (options.showsColors) env.FORCE_COLOR = '1';
  if (watcher !== null) {
    env.WATCH_REPORT_DEPENDENCIES = '1';
    env.RONDO_WATCH_FD = '3';
  }
  return env;
}

// Settles when the process has ended and its output is read.
function runChild(test, path, options, watcher, signal) {
  const { promise, resolve: done, reject } = Promise.withResolvers();
  const child = spawn(process.execPath, childArguments(path, options), {
    __proto__: null,
    signal,
    env: childEnvironment(options, watcher),
    cwd: options.cwd,
    stdio: watcher === null ? ['pipe', 'pipe', 'pipe'] : ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  watcher?.started(path, child);
  const print = (type) => (message) => test.add({ __proto__: null, type, data: { __proto__: null, file: path ?? '', message } });
  const text = new StringDecoder('utf8');
  const parser = new EventParser(
    (item) => test.add(item),
    (bytes) => print('test:stdout')(text.write(bytes)),
  );
  child.stdout.on('data', (bytes) => parser.write(bytes));
  const lines = require('internal/readline/readline').createInterface({ input: child.stderr });
  lines.on('line', (line) => print('test:stderr')(`${line}\n`));
  let failed = null;
  child.on('error', (error) => {
    failed = error;
    if (child.pid === undefined || error.name === 'AbortError') reject(error);
  });
  child.on('close', (code, signalName) => {
    parser.end();
    lines.close();
    done({ code, signal: signalName, error: failed });
  });
  return promise;
}

// Runs a file; the promise settles when it has been run.
function runFile(path, options, watcher = null) {
  const test = options.root.createSubtest(FileTest, path ?? '', { __proto__: null, signal: options.signal }, async (t) => {
    const { code, signal, error } = await runChild(test, path, options, watcher, t.signal);
    watcher?.ended(path, started);
    if (code === 0 && signal === null) return;
    if (error !== null) throw error;
    const result = failure('test failed', test.hasFailedTests ? types.subtests : types.testCode);
    throw Object.assign(result, { exitCode: code, signal, stack: undefined });
  });
  const started = test.start();
  return started;
}

module.exports = { runFile };

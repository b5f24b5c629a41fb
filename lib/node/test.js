// natives: none
// node:test: tests and suites in the program that declares them. The first one declared
// makes the root, which prints the totals when the process ends and sets its exit code.
// (`rondo --test` runs files: internal/test_runner/run_files.) Watching, coverage, snapshots and mocked timers are not here.
'use strict';

const { now } = require('internal/perf/clock');
const {
  codes: { ERR_TEST_FAILURE },
} = require('internal/errors/coded');
const { Test } = require('internal/test_runner/test');

let root;

function getRoot() {
  if (root !== undefined) return root;
  root = new Test({ name: '<root>' });
  const started = now();
  // Nothing is left to do, yet a test waits: it never will go on.
  const cancelPending = (test) => {
    for (const subtest of each(test.subtests)) cancelPending(subtest);
    if (test.finished || test === root) return;
    test.fail(new ERR_TEST_FAILURE('Promise resolution is still pending but the event loop has already resolved', 'cancelledByParent'));
    test.finish(now() - started);
  };
  process.on('uncaughtException', (error) => blame(error));
  process.on('unhandledRejection', (error) => blame(error));
  process.on('exit', () => {
    cancelPending(root);
    require('internal/test_runner/report').printSummary(now() - started);
    if (root.error !== null || arraySome.call(root.subtests, (test) => !test.passed)) process.exitCode = 1;
  });
  // A root without tests has hooks too.
  process.on('beforeExit', () => promiseThen(root.queue, () => root.endRoot()));
  return root;
}

function blame(error) {
  const running = Test.current ?? root;
  running.fail(error);
  if (running === root) process._rawDebug(error?.stack ?? String(error));
}

// Inside a suite being declared, tests belong to it; elsewhere to the root.
const owner = () => (Test.current?.isSuite && !Test.current.finished ? Test.current : getRoot());

function test(...args) {
  return owner().add('test', args);
}
function suite(...args) {
  return owner().add('suite', args);
}

for (const [kind, declare] of eachEntry([
  ['test', test],
  ['suite', suite],
])) {
  for (const flag of each(['skip', 'todo', 'only'])) {
    declare[flag] = {
      [flag](...args) {
        return owner().add(kind, args, { [flag]: true });
      },
    }[flag];
  }
}

const hook = (name) =>
  ({
    [name](fn, options) {
      owner().addHook(name, fn, options);
    },
  })[name];

module.exports = test;
Object.assign(test, {
  after: hook('after'),
  afterEach: hook('afterEach'),
  before: hook('before'),
  beforeEach: hook('beforeEach'),
  describe: suite,
  it: test,
  suite,
  test,
});

let tracker;
Object.defineProperty(test, 'mock', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    return (tracker ??= new (require('internal/test_runner/mock').MockTracker)());
  },
});

// natives: none
// node:test: tests and suites, hooks, mocks, snapshots, and run(). The parts are in internal/test_runner; the first test that is declared
// makes the root (internal/test_runner/harness), and `rondo --test` calls run() (internal/test_runner/run).
'use strict';

const { test, suite, before, after, beforeEach, afterEach, getTestContext } = require('internal/test_runner/harness');

function lazy(name, make) {
  let value;
  Object.defineProperty(test, name, { __proto__: null, configurable: true, enumerable: true, get: () => (value ??= make()) });
}

module.exports = test;
Object.assign(test, {
  after,
  afterEach,
  before,
  beforeEach,
  describe: suite,
  getTestContext,
  it: test,
  run: (...args) => require('internal/test_runner/run').run(...each(args)),
  suite,
  test,
});
lazy('mock', () => new (require('internal/test_runner/mock/tracker').MockTracker)());
lazy('snapshot', () => {
  const { setDefaultSnapshotSerializers, setResolveSnapshotPath } = require('internal/test_runner/snapshot');
  return { __proto__: null, setDefaultSnapshotSerializers, setResolveSnapshotPath };
});
lazy('assert', () => ({ __proto__: null, register: require('internal/test_runner/assert').register }));

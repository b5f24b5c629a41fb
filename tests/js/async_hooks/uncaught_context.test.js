// The listeners of uncaughtException run in the async context of the task that threw: timers, immediates, ticks, I/O.
'use strict';

const assert = require('assert');
const { AsyncLocalStorage } = require('async_hooks');

const storage = new AsyncLocalStorage();
const seen = {};
process.on('uncaughtException', (error) => { seen[error.message] = storage.getStore(); });
const fail = (name) => () => { throw new Error(name); };

storage.run('one', () => {
  setTimeout(fail('timer'), 1);
  setImmediate(fail('immediate'));
  process.nextTick(fail('tick'));
  queueMicrotask(fail('microtask'));
  require('fs').stat('/', fail('fs'));
});
storage.run('two', () => { setTimeout(fail('other'), 2); });
setTimeout(fail('outside'), 3);

process.on('exit', () => {
  assert.deepStrictEqual(seen, { tick: 'one', microtask: 'one', timer: 'one', fs: 'one', immediate: 'one', other: 'two', outside: undefined });
});

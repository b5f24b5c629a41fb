// Listeners for uncaughtException run in the async context in which the exception was thrown, whatever queue the callback came from.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const { AsyncLocalStorage } = require('node:async_hooks');

const storage = new AsyncLocalStorage();
const seen = {};
process.on('uncaughtException', (error) => { seen[error.message] = storage.getStore(); });
const thrower = (name) => () => { throw new Error(name); };

storage.run('a', () => setTimeout(thrower('timer'), 1));
storage.run('b', () => setImmediate(thrower('immediate')));
storage.run('c', () => process.nextTick(thrower('tick')));
storage.run('d', () => fs.stat(__filename, thrower('fs')));
storage.run('e', () => queueMicrotask(thrower('microtask')));
storage.run('f', () => { Promise.reject(new Error('rejection')); });
setTimeout(thrower('none'), 2);
process.on('exit', () => {
  assert.deepStrictEqual({ ...seen }, {
    timer: 'a', immediate: 'b', tick: 'c', fs: 'd', microtask: 'e', rejection: 'f', none: undefined,
  });
});

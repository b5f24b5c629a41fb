// AsyncLocalStorage reaches a thenable's then(), and code in a vm context.
'use strict';
const assert = require('node:assert');
const vm = require('node:vm');
const { AsyncLocalStorage } = require('node:async_hooks');

const storage = new AsyncLocalStorage();
const seen = [];
const thenable = () => ({
  then(resolve) {
    seen.push(storage.getStore());
    setImmediate(resolve);
  },
});
storage.run('awaited', async () => {
  await thenable();
  seen.push(`${storage.getStore()}, after`);
});
storage.run('returned', async () => thenable());
storage.run('resolved', () => Promise.resolve(thenable()));
storage.run('from a handler', () => Promise.resolve().then(thenable));

const context = vm.createContext({ storage, seen });
vm.runInContext(`storage.run('in a context', async () => {
  await 1;
  seen.push(storage.getStore());
  await Promise.resolve().then(() => seen.push(storage.getStore() + ', then'));
  seen.push(storage.getStore() + ', after');
})`, context);

process.on('exit', () => {
  assert.deepStrictEqual(seen.toSorted(), [
    'awaited', 'awaited, after', 'from a handler', 'in a context', 'in a context, after', 'in a context, then', 'resolved', 'returned',
  ]);
  assert.strictEqual(storage.getStore(), undefined);
});

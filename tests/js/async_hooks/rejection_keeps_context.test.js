// A reaction that throws leaves no async context behind, and the job of a thenable has the one it was queued with, in contexts too.
'use strict';

const assert = require('assert');
const vm = require('vm');
const { AsyncLocalStorage } = require('async_hooks');

const storage = new AsyncLocalStorage();
const seen = [];

for (const realm of [(code) => vm.runInThisContext(code), (code) => vm.runInNewContext(code)]) {
  const fail = realm('(() => Promise.resolve().then(() => { throw 1; }).catch(() => {}))');
  const adopt = realm('((look) => new Promise((resolve) => resolve({ then(resolve) { look(); resolve(); } })))');
  queueMicrotask(() => {});
  storage.run('inside', () => fail());
  queueMicrotask(() => seen.push(['after', storage.getStore()]));
  storage.run('thenable', () => adopt(() => seen.push(['then', storage.getStore()])));
  queueMicrotask(() => seen.push(['last', storage.getStore()]));
}

setImmediate(() => {
  const expected = [['after', undefined], ['then', 'thenable'], ['last', undefined]];
  assert.deepStrictEqual(seen, [...expected, ...expected]);
});

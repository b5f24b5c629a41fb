// AsyncLocalStorage follows awaits, ticks, timers, immediates, microtasks, emitters and files; AsyncResource.
'use strict';

const assert = require('assert');
const fs = require('fs');
const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = require('async_hooks');

const als = new AsyncLocalStorage();
let left = 0;
const expect = (value, what) => {
  left++;
  return () => {
    left--;
    assert.strictEqual(als.getStore(), value, what);
  };
};

als.run('one', () => {
  setTimeout(expect('one', 'timer'), 1);
  setImmediate(expect('one', 'immediate'));
  process.nextTick(expect('one', 'tick'));
  queueMicrotask(expect('one', 'microtask'));
  Promise.resolve().then(expect('one', 'then'));
  fs.stat(__filename, expect('one', 'fs'));
  fs.promises.readFile(__filename).then(expect('one', 'fs promise'));
  (async () => { await null; expect('one', 'await')(); })();
  als.run('two', () => setTimeout(expect('two', 'nested'), 1));
  als.exit(() => process.nextTick(expect(undefined, 'exit')));
});
setTimeout(expect(undefined, 'outside'), 1);
assert.strictEqual(als.getStore(), undefined);

const other = new AsyncLocalStorage({ defaultValue: 'def', name: 'other' });
assert.strictEqual(other.getStore(), 'def');
assert.strictEqual(other.name, 'other');
const snapshot = als.run('kept', () => AsyncLocalStorage.snapshot());
assert.strictEqual(snapshot(() => als.getStore()), 'kept');
{
  const scope = als.withScope('scoped');
  assert.strictEqual(als.getStore(), 'scoped');
  scope[Symbol.dispose]();
  assert.strictEqual(als.getStore(), undefined);
}

const calls = [];
const hook = createHook({ init: (id, type) => calls.push(type), before: () => calls.push('before'), after: () => calls.push('after') }).enable();
const resource = als.run('res', () => new AsyncResource('THING'));
assert.strictEqual(resource.runInAsyncScope((x) => {
  assert.strictEqual(executionAsyncId(), resource.asyncId());
  return [als.getStore(), x];
}, null, 7).join(), 'res,7');
hook.disable();
assert.deepStrictEqual(calls, ['THING', 'before', 'after']);
assert.strictEqual(AsyncResource.bind((a, b) => a + b).length, 2);

process.on('exit', () => assert.strictEqual(left, 0));

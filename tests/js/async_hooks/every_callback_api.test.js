// Every callback API of the runtime: AsyncLocalStorage is kept, and async hooks give the callback an id of its own, caused by who
// called. `rondo trace` of the same table is judged by tests/trace/every_callback_api.check.js.
'use strict';
const assert = require('node:assert');
const { AsyncLocalStorage, executionAsyncId, triggerAsyncId } = require('node:async_hooks');
const { apis, release } = require('../../fixtures/callback_apis.js');

const storage = new AsyncLocalStorage();
const withIds = process.argv[2] !== 'context';
// Promises have ids only while a hook listens: what ends in one has none here, in Node neither.
const withoutIds = new Set(apis.map(([name]) => name).filter((name) => /^(promise|await|WebAssembly|Atomics|fs.cp|fs.glob)/.test(name)));

async function tryOne([name, start]) {
  let timer;
  await new Promise((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${name}: no callback in 20 s`)), 20000);
    setImmediate(() => storage.run({ name }, () => {
      const starter = withIds ? executionAsyncId() : 0;
      start(() => {
        try {
          assert.strictEqual(storage.getStore()?.name, name, `${name}: the context is lost`);
          if (withIds && !withoutIds.has(name)) {
            assert.ok(executionAsyncId() > 0, `${name}: nobody runs`);
            assert.notStrictEqual(executionAsyncId(), starter, `${name}: runs as its starter`);
            assert.ok(triggerAsyncId() > 0, `${name}: nobody caused it`);
          }
          resolve();
        } catch (error) {
          reject(error);
        }
      });
    }));
  });
  clearTimeout(timer);
}

(async () => {
  const failed = [];
  for (const api of apis) await tryOne(api).catch((error) => failed.push(error.message.split('\n')[0]));
  assert.deepStrictEqual(failed, []);
  release();
  if (process.argv[2] === undefined) {
    // Once more in a process where nobody has asked for ids: the context alone takes another way.
    const { status, stderr } = require('node:child_process').spawnSync(process.execPath, [__filename, 'context'], { encoding: 'utf8' });
    assert.strictEqual(status, 0, stderr);
  }
})();

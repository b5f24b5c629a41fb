// A hook enabled by a timer's callback hears of that task's end; destroy hooks run before the immediates of the next check phase, and a
// cleared immediate cannot be referenced again.
'use strict';

const assert = require('node:assert');
const { createHook, executionAsyncId } = require('node:async_hooks');

const heard = [];
setTimeout(() => {
  const hook = createHook({ after: () => heard.push('after'), destroy: () => heard.push('destroy') }).enable();
  setImmediate(() => {
    assert.deepStrictEqual(heard, ['after', 'destroy']);
    hook.disable();
    destroyBeforeImmediates();
  });
}, 1);

function destroyBeforeImmediates() {
  const destroyed = [];
  const hook = createHook({ init() {}, destroy: (id) => destroyed.push(id) }).enable();
  setImmediate(() => {
    const first = executionAsyncId();
    setImmediate(() => {
      assert.ok(destroyed.includes(first));
      hook.disable();
      clearedStaysCleared();
    });
  });
}

function clearedStaysCleared() {
  const cleared = setImmediate(() => assert.fail('cleared')).unref();
  clearImmediate(cleared);
  cleared.ref();
  assert.strictEqual(cleared.hasRef(), false);
  setImmediate(() => setImmediate(() => assert.fail('nothing keeps the loop alive')).unref());
  heard.push('end');
}

process.on('exit', () => assert.deepStrictEqual(heard, ['after', 'destroy', 'end']));

// At the end of the loop, too.
const { spawnSync } = require('node:child_process');
const text = `require('async_hooks').createHook({ init() {}, destroy: () => require('fs').writeSync(1, 'destroyed') }).enable();
  clearImmediate(setImmediate(() => {}));`;
assert.strictEqual(`${spawnSync(process.execPath, ['-e', text]).stdout}`, 'destroyed');

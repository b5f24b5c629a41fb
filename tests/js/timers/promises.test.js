// timers/promises: values, abort, the interval iterator, scheduler.
'use strict';
const assert = require('node:assert');
const { setTimeout: sleep, setImmediate: turn, setInterval: every, scheduler } = require('node:timers/promises');

async function main() {
  assert.strictEqual(await sleep(1, 'value'), 'value');
  assert.strictEqual(await turn('now'), 'now');
  const controller = new AbortController();
  const waiting = sleep(1e6, null, { signal: controller.signal });
  controller.abort('why');
  await assert.rejects(waiting, { name: 'AbortError', code: 'ABORT_ERR', cause: 'why' });
  await assert.rejects(sleep(1, null, { signal: controller.signal }), { name: 'AbortError' });
  await assert.rejects(sleep(1, null, { ref: 5 }), { code: 'ERR_INVALID_ARG_TYPE' });
  let count = 0;
  for await (const value of every(1, 'tick')) {
    assert.strictEqual(value, 'tick');
    if (++count === 3) break;
  }
  await scheduler.wait(1);
  await scheduler.yield();
}

let done = false;
main().then(() => { done = true; });
process.on('exit', () => assert.ok(done));

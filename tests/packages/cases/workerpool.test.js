// workerpool: functions by name and by text, events from a worker, cancelled and timed-out tasks, with threads and processes.
'use strict';
const assert = require('node:assert');
const path = require('node:path');
const workerpool = require('workerpool');

(async () => {
  for (const workerType of ['thread', 'process']) {
    const pool = workerpool.pool(path.join(__dirname, 'fixtures/workerpool_worker.js'), { workerType, maxWorkers: 2 });
    assert.deepStrictEqual(await Promise.all([5, 10, 15].map((n) => pool.exec('fibonacci', [n]))), [5, 55, 610]);
    const told = [];
    assert.strictEqual(await pool.exec('steps', [2], { on: (payload) => told.push(payload.step) }), 2);
    assert.deepStrictEqual(told, [1, 2]);
    await assert.rejects(pool.exec('fails', []), { message: 'refused' });
    const endless = pool.exec('endless', []);
    endless.cancel();
    await assert.rejects(endless, { name: 'CancellationError' });
    await assert.rejects(pool.exec('endless', []).timeout(50), { name: 'TimeoutError' });
    await pool.terminate(true);
  }
  const texts = workerpool.pool({ workerType: 'thread', maxWorkers: 1 });
  assert.strictEqual(await texts.exec((a, b) => a + b, [40, 2]), 42);
  await texts.terminate();
})();

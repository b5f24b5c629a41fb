// piscina: a pool of threads that asks for work through Atomics.wait, with transfers, aborted tasks and errors.
'use strict';
const assert = require('node:assert');
const path = require('node:path');
const { Piscina } = require('piscina');

(async () => {
  const pool = new Piscina({ filename: path.join(__dirname, 'fixtures/pool_task.js'), minThreads: 2, maxThreads: 2 });
  const sums = await Promise.all(Array.from({ length: 20 }, (_, i) => pool.run({ a: i, b: 1 })));
  assert.deepStrictEqual(sums, Array.from({ length: 20 }, (_, i) => i + 1));
  await assert.rejects(pool.run({ a: 1, b: 'x' }), { name: 'TypeError', message: 'not a number' });
  const bytes = new Uint8Array(1024).fill(7);
  const { length, last } = await pool.run({ bytes }, { name: 'measure', transferList: [bytes.buffer] });
  assert.deepStrictEqual([length, last, bytes.byteLength], [1024, 7, 0]);
  const controller = new AbortController();
  const endless = pool.run(null, { name: 'endless', signal: controller.signal });
  controller.abort();
  await assert.rejects(endless, { name: 'AbortError' });
  assert.strictEqual(await pool.run({ a: 40, b: 2 }), 42);
  assert.strictEqual(pool.completed, 24);
  await pool.destroy();
})();

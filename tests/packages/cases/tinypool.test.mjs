// tinypool: the pool of vitest, with threads and with processes.
import assert from 'node:assert';
import Tinypool from 'tinypool';

const filename = new URL('fixtures/pool_task.js', import.meta.url).href;
for (const runtime of ['worker_threads', 'child_process']) {
  const pool = new Tinypool({ filename, runtime, minThreads: 2, maxThreads: 2 });
  assert.deepStrictEqual(await Promise.all([1, 2, 3, 4].map((a) => pool.run({ a, b: 1 }))), [2, 3, 4, 5]);
  await assert.rejects(pool.run({ a: 1 }), { message: 'not a number' });
  await pool.recycleWorkers();
  assert.strictEqual(await pool.run({ a: 40, b: 2 }), 42);
  await pool.destroy();
}

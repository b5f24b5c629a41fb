'use strict';
// queue(): every job is done once by one of the workers; jobs of a worker that goes come again; retry, delay, keys, order, dead jobs, a limit.
const assert = require('node:assert');
const { onBoth, until } = require('../../fixtures/mesh');

onBoth(async ({ connect }) => {
  const [producer, one, two] = [await connect(), await connect(), await connect()];

  // Two workers share the jobs.
  const queue = producer.queue('jobs');
  await Promise.all(Array.from({ length: 300 }, (_, i) => queue.push({ i })));
  const done = [];
  const by = [0, 0];
  const stop = new AbortController();
  const work = async (mesh, index) => {
    for await (const job of mesh.queue('jobs').work({ concurrency: 4, signal: stop.signal })) {
      done.push(job.value.i);
      by[index]++;
      assert.strictEqual(job.attempt, 1);
      assert.ok(job.pushed instanceof Date);
      await job.done();
      if (done.length === 300) stop.abort();
    }
  };
  await Promise.all([work(one, 0), work(two, 1)]);
  assert.deepStrictEqual(
    done.sort((a, b) => a - b),
    Array.from({ length: 300 }, (_, i) => i),
  );
  await until(async () => (await queue.count()) === 0);

  // A worker has as many unfinished jobs as it asked for, not more.
  const wide = producer.queue('wide');
  for (let i = 0; i < 10; i++) await wide.push(i);
  const jobs = wide.work({ concurrency: 3 });
  const held = [];
  for (let i = 0; i < 3; i++) held.push((await jobs.next()).value);
  let fourth;
  const asked = jobs.next().then(({ value }) => (fourth = value));
  await producer.flush();
  await new Promise((resolve) => setImmediate(resolve));
  assert.strictEqual(fourth, undefined);
  await held[0].done();
  await asked;
  assert.strictEqual(fourth.value, 3);
  assert.rejects(held[0].done(), { code: 'ERR_INVALID_STATE' });
  // Those that it did not finish come again, to another.
  await jobs.return();
  const rest = [];
  for await (const job of two.queue('wide').work()) {
    rest.push([job.value, job.attempt > 1]);
    await job.done();
    if (rest.length === 9) break;
  }
  rest.sort((a, b) => a[0] - b[0]);
  assert.deepStrictEqual(
    rest.map(([value]) => value),
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
  assert.deepStrictEqual(
    rest.slice(0, 3).map(([, again]) => again),
    [true, true, true],
  );
});

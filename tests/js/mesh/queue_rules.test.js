'use strict';
// queue(): retry and attempts, dead jobs, delay, keys, order, and a limit at which push() waits.
const assert = require('node:assert');
const { onBoth, until } = require('../../fixtures/mesh');

async function retries(mesh) {
  const queue = mesh.queue('retry', { attempts: 3 });
  await queue.push('good');
  const attempts = [];
  for await (const job of queue.work()) {
    attempts.push(job.attempt);
    if (job.attempt < 3) await job.retry(5);
    else {
      await job.done();
      break;
    }
  }
  assert.deepStrictEqual(attempts, [1, 2, 3]);

  await queue.push({ bad: true }, { key: 'the bad one' });
  let seen = 0;
  const stop = new AbortController();
  const working = (async () => {
    for await (const job of queue.work({ signal: stop.signal })) {
      seen++;
      await job.retry(0);
    }
  })();
  for await (const job of queue.dead()) {
    assert.deepStrictEqual(job.value, { bad: true });
    assert.strictEqual(job.key, 'the bad one');
    assert.match(job.reason, /failed 3 times/);
    assert.strictEqual(job.attempt, 3);
    await job.done();
    break;
  }
  stop.abort();
  await working;
  assert.strictEqual(seen, 3);
  await until(async () => (await queue.count()) === 0);

  // fail() makes it dead at once, retry() of a dead one pushes it again.
  await queue.push('x');
  for await (const job of queue.work()) {
    await job.fail(new Error('not ours'));
    break;
  }
  for await (const job of queue.dead()) {
    assert.strictEqual(job.reason, 'not ours');
    await job.retry();
    break;
  }
  for await (const job of queue.work()) {
    assert.strictEqual(job.value, 'x');
    await job.done();
    break;
  }
}

async function delays(mesh) {
  const queue = mesh.queue('delay');
  const start = Date.now();
  await queue.push('late', { delay: 150 });
  await queue.push('now');
  const got = new Map();
  for await (const job of queue.work({ concurrency: 2 })) {
    got.set(job.value, Date.now() - start);
    await job.done();
    if (got.size === 2) break;
  }
  // How late is the machine's business; not too early is ours.
  assert.ok(got.has('now') && got.get('late') >= 149, `after ${got.get('late')} ms`);
}

async function keys(mesh) {
  const queue = mesh.queue('keys');
  const answers = await Promise.all(Array.from({ length: 20 }, () => queue.push(1, { key: 'pay 5/€ *.>' })));
  assert.strictEqual(answers.filter((isNew) => isNew).length, 1);
  assert.strictEqual(await queue.push(2, { key: 'pay 6' }), true);
  assert.strictEqual(await queue.count(), 2);
  const seen = [];
  for await (const job of queue.work()) {
    seen.push(job.key);
    await job.done();
    if (seen.length === 2) break;
  }
  assert.deepStrictEqual(seen, ['pay 5/€ *.>', 'pay 6']);
  // It counts although the job is done.
  assert.strictEqual(await queue.push(1, { key: 'pay 6' }), false);
  await assert.rejects(queue.push(1, { key: '' }), { code: 'ERR_MESH_NAME' });
  await assert.rejects(queue.push(1, { key: 'x'.repeat(600) }), { code: 'ERR_MESH_NAME' });
}

// Jobs of one order one after another, although there are several workers and the first of each fails once.
async function orders(meshes) {
  const queue = meshes[0].queue('order');
  const names = ['red', 'green', 'blue'];
  for (let i = 0; i < 20; i++) for (const order of names) await queue.push(i, { order });
  const got = new Map(names.map((name) => [name, []]));
  const running = new Set();
  const stop = new AbortController();
  let count = 0;
  await Promise.all(
    meshes.map(async (mesh) => {
      const handle = async (job) => {
        assert.ok(!running.has(job.order), 'two jobs of one order at once');
        running.add(job.order);
        await new Promise((resolve) => setImmediate(resolve));
        running.delete(job.order);
        if (job.value === 0 && job.attempt === 1) return job.retry(10);
        got.get(job.order).push(job.value);
        await job.done();
        if (++count === 60) stop.abort();
      };
      for await (const job of mesh.queue('order').work({ concurrency: 8, signal: stop.signal })) handle(job);
    }),
  );
  for (const name of names) assert.deepStrictEqual(got.get(name), Array.from({ length: 20 }, (_, i) => i));
  const plain = meshes[0].queue('plain', { partitions: 0 });
  await assert.rejects(plain.push(1, { order: 'a' }), { code: 'ERR_MESH_ORDER' });
}

async function limits(mesh) {
  const queue = mesh.queue('full', { limit: 3 });
  let pushed = 0;
  const pushing = Promise.all(Array.from({ length: 6 }, (_, i) => queue.push(i).then(() => pushed++)));
  await until(() => pushed === 3);
  await mesh.flush();
  assert.strictEqual(pushed, 3);
  const controller = new AbortController();
  const given = queue.push('no', { signal: controller.signal });
  controller.abort(new Error('given up'));
  await assert.rejects(given, /given up/);
  const seen = [];
  for await (const job of queue.work()) {
    seen.push(job.value);
    await job.done();
    if (seen.length === 6) break;
  }
  await pushing;
  assert.deepStrictEqual(new Set(seen), new Set([0, 1, 2, 3, 4, 5]));
}

onBoth(async ({ connect }) => {
  const meshes = [await connect(), await connect()];
  await Promise.all([retries(meshes[0]), delays(meshes[0]), keys(meshes[1]), orders(meshes), limits(meshes[1])]);
  for (const options of [{ limit: 0 }, { partitions: -1 }, { attempts: 0 }, { lease: 1 }, 5]) {
    assert.throws(() => meshes[0].queue('bad', options), /ERR_(OUT_OF_RANGE|INVALID_ARG_TYPE)/);
  }
});

'use strict';
// call() and serve(): one server answers, errors come back, deadlines and cancellation reach the server, a busy one is tried again.
const assert = require('node:assert');
const { onBoth, until } = require('../../fixtures/mesh');

onBoth(async ({ connect }) => {
  const [one, two, client] = [await connect(), await connect(), await connect()];
  await assert.rejects(client.call('add', [1, 2]), { code: 'ERR_MESH_NO_SERVER' });

  const calls = { one: 0, two: 0 };
  const first = await one.serve('add', ([a, b]) => (calls.one++, a + b));
  await two.serve('add', async ([a, b]) => (calls.two++, a + b));
  const sums = await Promise.all(Array.from({ length: 200 }, (_, i) => client.call('add', [i, 1])));
  assert.deepStrictEqual(sums, Array.from({ length: 200 }, (_, i) => i + 1));
  assert.strictEqual(calls.one + calls.two, 200);
  assert.ok(calls.one > 0 && calls.two > 0, `${calls.one} and ${calls.two}`);

  // Errors of the handler, with their class and code.
  await one.serve('fail', (how) => {
    if (how === 'error') throw Object.assign(new RangeError('no'), { code: 'E_NO' });
    if (how === 'value') throw { plain: true };
    return () => {};
  });
  await assert.rejects(client.call('fail', 'error'), (error) => error instanceof RangeError && error.message === 'no' && error.code === 'E_NO');
  await assert.rejects(client.call('fail', 'value'), (error) => error.plain === true);
  await assert.rejects(client.call('fail', 'function'), /cannot be sent/);
  await one.serve('class', () => {
    throw new DOMException('of the runtime', 'DataError'); // of a class that stays in its process
  });
  await assert.rejects(client.call('class'), /of the runtime/);

  // A deadline: the caller's error, the server's signal.
  const ended = [];
  await one.serve('slow', (name, { signal, deadline }) => {
    assert.ok(deadline <= Date.now() + 60_000);
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        ended.push([name, signal.reason.code]);
        resolve();
      });
    });
  });
  await assert.rejects(client.call('slow', 'late', { timeout: 30 }), { code: 'ERR_MESH_TIMEOUT' });
  const controller = new AbortController();
  const call = client.call('slow', 'left', { signal: controller.signal, timeout: 60_000 });
  await client.flush();
  setTimeout(() => controller.abort(new Error('enough')), 50);
  await assert.rejects(call, /enough/);
  await until(() => ended.length === 2);
  assert.deepStrictEqual(ended.map(([name]) => name), ['late', 'left']);
  assert.strictEqual(ended[1][1], 'ERR_MESH_CANCELLED');
  await assert.rejects(client.call('slow', 1, { signal: AbortSignal.abort(new Error('before')) }), /before/);

  // Backpressure: two at once, one more may wait; the others are told to come again, and do.
  let running = 0,
    most = 0;
  await two.serve(
    'narrow',
    async (i) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running--;
      return i;
    },
    { concurrency: 2, waiting: 1 },
  );
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => client.call('narrow', i)));
  assert.deepStrictEqual(answers, Array.from({ length: 30 }, (_, i) => i));
  assert.strictEqual(most, 2);

  // After close() another server has all.
  await first.close();
  calls.one = calls.two = 0;
  await Promise.all(Array.from({ length: 50 }, () => client.call('add', [1, 1])));
  assert.deepStrictEqual(calls, { one: 0, two: 50 });

  const open = client.call('slow', 'open', { timeout: 60_000 });
  const rejected = assert.rejects(open, { code: 'ERR_MESH_CLOSED' });
  await client.flush();
  await client.close();
  await rejected;
  await assert.rejects(client.call('add', []), { code: 'ERR_MESH_CLOSED' });
});

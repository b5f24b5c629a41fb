'use strict';
// lock() and leader(): one holder at a time, tokens that grow, a holder that stops renewing loses it, steal, ifAvailable, signal.
const assert = require('node:assert');
const { onBoth, until } = require('../../fixtures/mesh');

const kLease = 5000;

onBoth(async ({ connect, kind }) => {
  const meshes = [await connect({ lease: kLease }), await connect({ lease: kLease }), await connect({ lease: kLease })];
  const [one, two] = meshes;

  // Nine requests on three connections: never two at once, each token larger than the one before.
  let holders = 0;
  const tokens = [];
  await Promise.all(
    meshes.flatMap((mesh) =>
      Array.from({ length: 3 }, () =>
        mesh.lock('box', async ({ name, mode, token, signal }) => {
          assert.strictEqual(++holders, 1);
          assert.deepStrictEqual([name, mode, signal.aborted], ['box', 'exclusive', false]);
          tokens.push(token);
          await new Promise((resolve) => setImmediate(resolve));
          holders--;
        }),
      ),
    ),
  );
  assert.strictEqual(tokens.length, 9);
  for (let i = 1; i < 9; i++) assert.ok(tokens[i] > tokens[i - 1], `${tokens}`);
  assert.strictEqual(await one.lock('box', () => 'result'), 'result');
  await assert.rejects(
    one.lock('box', () => {
      throw new Error('mine');
    }),
    /mine/,
  );

  // Held by another: not available, not waited for longer than the signal says, and stolen.
  let release;
  const opened = new Promise((resolve) => (release = resolve));
  let lost;
  const holding = one.lock('held', ({ signal }) => {
    signal.addEventListener('abort', () => (lost = signal.reason.code));
    return opened;
  });
  await until(async () => (await two.lock('held', { ifAvailable: true }, (lock) => lock)) === null);
  const controller = new AbortController();
  const waiting = two.lock('held', { signal: controller.signal }, () => assert.fail('it was held'));
  controller.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  // It is renewed: longer than a lease it is still held.
  const start = Date.now();
  await until(() => Date.now() - start > kLease + 300);
  assert.strictEqual(await two.lock('held', { ifAvailable: true }, (lock) => lock), null);
  const isLost = assert.rejects(holding, { code: 'ERR_MESH_LOST' }); // it may hear of it before the thief does
  const token = await two.lock('held', { steal: true }, (lock) => lock.token);
  assert.ok(token > tokens[8]);
  await isLost;
  assert.strictEqual(lost, 'ERR_MESH_LOST');
  release();

  for (const bad of [{ mode: 'shared' }, { steal: true, ifAvailable: true }, { signal: 5 }]) {
    await assert.rejects(one.lock('x', bad, () => {}), /ERR_INVALID_ARG/);
  }
  await assert.rejects(one.lock('a.b', () => {}), { code: 'ERR_MESH_NAME' });

  // A leader, until it resigns or its mesh is closed.
  const term = await one.leader('chief');
  let next;
  const second = two.leader('chief').then((got) => (next = got));
  await one.flush();
  assert.strictEqual(next, undefined);
  await term.resign();
  await second;
  assert.ok(next.token > term.token);
  const third = meshes[2].leader('chief');
  await two.close();
  assert.ok(next.signal.aborted);
  assert.ok((await third).token > next.token);

  const names = (await one.peers()).map(({ id }) => id);
  assert.ok(names.includes(one.id) && names.includes(meshes[2].id), kind);
  await until(async () => !(await one.peers()).some(({ id }) => id === two.id));
  const self = (await one.peers()).find(({ isSelf }) => isSelf);
  assert.strictEqual(self.pid, process.pid);
  assert.ok(self.since instanceof Date);
});

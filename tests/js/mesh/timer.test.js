'use strict';
// timer(): each time that is due fires once, in one of those that have the timer, and in another one when that ends meanwhile.
const assert = require('node:assert');
const { onBoth, until } = require('../../fixtures/mesh');

onBoth(async ({ connect }) => {
  const meshes = [await connect({ lease: 3000 }), await connect({ lease: 3000 }), await connect({ lease: 3000 })];

  // All have it before it is due: who sets it afterwards sets it anew.
  const fired = [];
  const timers = await Promise.all(meshes.map((mesh, i) => mesh.timer('once', 1000, ({ due, name }) => fired.push([i, name, due]))));
  await until(() => fired.length > 0 && timers.every((timer) => timer.due === undefined));
  assert.strictEqual(fired.length, 1);
  assert.ok(fired[0][1] === 'once' && fired[0][2] instanceof Date);

  // A moment that all mean: who comes later does not fire it again.
  const at = new Date(Date.now() + 30);
  let moments = 0;
  const early = await meshes[0].timer('moment', at, () => moments++);
  await until(() => early.due === undefined);
  const late = await meshes[1].timer('moment', at, () => moments++);
  await until(() => late.due === undefined);
  assert.strictEqual(moments, 1);

  // Again and again, each due time once; then cancelled for all.
  const times = [];
  const every = await Promise.all(meshes.map((mesh) => mesh.timer('tick', { every: 40 }, ({ due }) => times.push(due.getTime()))));
  await until(() => times.length >= 5);
  await every[0].cancel();
  await until(() => every.every((timer) => timer.due === undefined));
  const count = times.length;
  assert.strictEqual(new Set(times).size, count, `${times}`);
  for (let i = 1; i < count; i++) assert.ok(times[i] > times[i - 1]);
  for (const time of times) assert.strictEqual(time % 40, 0);

  // The first that runs it goes in the middle; another does it.
  const runs = [];
  const handler = (i) => async () => {
    runs.push(i);
    if (runs.length === 1) {
      meshes[i].close();
      await new Promise(() => {});
    }
  };
  await Promise.all([1, 2].map((i) => meshes[i].timer('mortal', 20, handler(i))));
  await until(() => runs.length === 2);
  assert.notStrictEqual(runs[0], runs[1]);

  const cron = await meshes[0].timer('cron', '15 3 29 2 *', () => {});
  assert.strictEqual(cron.due.toISOString().slice(4), '-02-29T03:15:00.000Z');
  cron.stop();
  const weekly = await meshes[0].timer('weekly', { cron: '0 0 * * 1-5' }, () => {});
  assert.ok(weekly.due > new Date() && weekly.due - Date.now() <= 3 * 86_400_000 + 1000);
  await weekly.cancel();
  for (const bad of ['', '* * * *', '60 * * * *', '* * * * mon', '5-1 * * * *', '*/0 * * * *', '0 0 31 2 *', new Date(Number.NaN), -1, { every: 1 }, null]) {
    assert.throws(() => meshes[0].timer('bad', bad, () => {}), /ERR_(INVALID_ARG|OUT_OF_RANGE)/, String(bad));
  }
});

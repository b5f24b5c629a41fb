const assert = require('node:assert');
const { tasks, of } = require('./support/records.cjs');

for (const [name, runs] of [['again', 3], ['twice', 2]]) {
  const all = tasks.filter((task) => task.name === name);
  assert.strictEqual(all.length, runs, name);
  assert.strictEqual(new Set(all.map((task) => task.id)).size, runs, `${name}: ids of their own`);
  assert.strictEqual(of('task.queued').filter((record) => record.name?.startsWith(`${name} (`)).length, runs);
  for (let i = 0; i < runs; i++) {
    assert.strictEqual(all[i].queued.cause, i === 0 ? 0 : all[i - 1].id, `${name}: queued by the one before`);
    assert.strictEqual(all[i].queued.payload, 1000);
    assert.ok(all[i].queued.time <= all[i].time && all[i].time <= all[i].end.time);
    if (i > 0) assert.ok(all[i].queued.time >= all[i - 1].time && all[i].queued.time <= all[i - 1].end.time);
  }
}

// S39, S7, S24: all of them in one visit of the timers phase, in the order in which they were queued.
const assert = require('node:assert');
const { tasks, of } = require('./support/records.cjs');

assert.strictEqual(tasks.length, 2000);
assert.strictEqual(new Set(tasks.map((t) => t.iteration)).size, 1);
assert.strictEqual(of('phase.begin').filter((r) => r.phase === 'timers').length, 1);
for (let i = 1; i < tasks.length; i++) assert.ok(tasks[i].id > tasks[i - 1].id);

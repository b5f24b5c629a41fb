// S83, S123, S124: an iteration for each immediate, one iteration for all ticks and microtasks.
const assert = require('node:assert');
const { tasks } = require('./support/records.cjs');

const iterations = (what) => new Set(tasks.filter((t) => t.what === what).map((t) => t.iteration)).size;
assert.strictEqual(tasks.filter((t) => t.what === 'immediate').length, 20);
assert.strictEqual(iterations('immediate'), 20);
assert.strictEqual(tasks.filter((t) => t.what === 'tick').length, 20);
assert.strictEqual(iterations('tick'), 1);
assert.ok(tasks.filter((t) => t.what === 'microtask').length >= 19);
assert.strictEqual(iterations('microtask'), 1);

// S47, S64, K19: the ticks of closing_same_iteration.js tell in which iteration and phase a socket was destroyed and its close event came.
const assert = require('node:assert');
const { exitCode, task, tasks } = require('./support/records.cjs');

assert.strictEqual(exitCode, 0);
for (const name of ['timers', 'poll', 'check', 'last']) {
  const destroyed = task(`destroy_${name}`), closed = task(`close_${name}`);
  if (name !== 'last') assert.strictEqual(destroyed.phase, name);
  assert.strictEqual(closed.phase, 'closing', `destroyed in ${name}`);
  assert.strictEqual(closed.iteration, destroyed.iteration, `destroyed in ${name}`);
}
// What is closed in the closing phase waits for the next one.
for (const name of ['closing', 'first', 'second', 'third']) {
  const destroyed = task(`destroy_${name}`), closed = task(`close_${name}`);
  assert.strictEqual(destroyed.phase, 'closing');
  assert.strictEqual(closed.phase, 'closing');
  assert.strictEqual(closed.iteration, destroyed.iteration + 1, name);
}
// K19: several closes of one iteration, first in first out.
const order = tasks.map((t) => t.name).filter((name) => /^close_(first|second|third)$/.test(name));
assert.deepStrictEqual(order, ['close_first', 'close_second', 'close_third']);

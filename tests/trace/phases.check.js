// S1, S6, S36, S37, S42, S46, S67: phases in the one order, each kind of task in its phase, first in first out.
const assert = require('node:assert');
const { of, tasks } = require('./support/records.cjs');

const order = ['timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'closing'];
const byIteration = Map.groupBy(of('phase.begin'), (r) => r.iteration);
assert.ok(byIteration.size >= 100);
for (const [iteration, phases] of byIteration) {
  const places = phases.map((r) => order.indexOf(r.phase));
  assert.deepStrictEqual(places, [...places].sort((a, b) => a - b), `order of phases in iteration ${iteration}`);
  assert.ok(phases.some((r) => r.phase === 'poll'), `poll is visited in iteration ${iteration}`);
}

const inPhase = { timer: 'timers', immediate: 'check' };
for (const task of tasks) {
  if (inPhase[task.what]) assert.strictEqual(task.phase, inPhase[task.what]);
  assert.ok(task.id > 0 && task.queued, 'a task has an id and was queued');
  if (task.what !== 'microtask') assert.match(task.queued.name, /\(.*phases\.js:\d+:\d+\)/, 'a task has a function and its place');
}
const immediates = tasks.filter((t) => t.what === 'immediate');
assert.strictEqual(immediates.length, 100);
assert.deepStrictEqual(immediates.map((t) => t.id), immediates.map((t) => t.id).sort((a, b) => a - b));
assert.ok(tasks.some((t) => t.what === 'tick') && tasks.some((t) => t.what === 'microtask'));
assert.ok(of('wait.end').length > 0 && of('callback.begin').length > 0);

// S36: the phases of each iteration come in the one order, and a hundred iterations have them all.
const assert = require('node:assert');
const { exitCode, of } = require('./support/records.cjs');

assert.strictEqual(exitCode, 0);
const order = ['timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'closing'];
let full = 0;
for (const [iteration, phases] of Map.groupBy(of('phase.begin'), (r) => r.iteration)) {
  const names = phases.map((r) => r.phase);
  assert.deepStrictEqual(names, order.filter((phase) => names.includes(phase)), `iteration ${iteration}`);
  if (names.length >= order.length - 1) full++;  // all but prepare, which is for C++ handles
}
assert.ok(full >= 100, `${full} iterations with work in every phase`);
// Callbacks belong to the phase they are in: closes to closing, timers to timers.
for (const [what, phase] of [['timer', 'timers'], ['closing', 'closing'], ['deferred', 'pending'], ['check', 'check'], ['idle', 'idle']]) {
  const wrong = of('callback.begin', what).filter((r) => r.phase !== phase);
  assert.deepStrictEqual(wrong, [], what);
}

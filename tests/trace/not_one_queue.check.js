// S112: the loop is a set of phases, each with tasks of its own kind (S36, S37), and not one queue or stack of tasks.
const assert = require('node:assert');
const { exitCode, tasks } = require('./support/records.cjs');

assert.strictEqual(exitCode, 0);
const ofOne = tasks.map((t) => ({ ...t, name: t.name.replace(/.* → /, '') })).filter((t) => ['timer', 'immediate', 'file'].includes(t.name));
for (const [name, phase] of [['timer', 'timers'], ['immediate', 'check'], ['file', 'poll']]) {
  const own = ofOne.filter((t) => t.name === name);
  assert.strictEqual(own.length, 3, name);
  assert.deepStrictEqual(own.map((t) => t.phase), [phase, phase, phase], name);
  assert.deepStrictEqual(own.map((t) => t.id), own.map((t) => t.id).sort((a, b) => a - b), `${name}: first in, first out`);
}
const ids = ofOne.map((t) => t.id);
const sorted = [...ids].sort((a, b) => a - b);
assert.notDeepStrictEqual(ids, sorted, 'one queue would run them so');
assert.notDeepStrictEqual(ids, sorted.reverse(), 'and one stack so');
// The immediates come first, in the check phase of the iteration that queued them, although a timer was queued before each of them.
assert.deepStrictEqual(ofOne.slice(0, 3).map((t) => t.name), ['immediate', 'immediate', 'immediate']);

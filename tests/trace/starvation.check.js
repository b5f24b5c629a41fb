// S83, S95, S123: what the ledger says of the two recursions.
const assert = require('node:assert');
const { of, tasks } = require('./support/records.cjs');

const found = of('starvation');
assert.strictEqual(found.length, 4);
const [ticks, allTicks, reactions, allReactions] = found;

assert.strictEqual(ticks.what, 'tick');
assert.match(ticks.name, /^tickAgain \(.*starvation\.js:5:/);
assert.strictEqual(ticks.cause, 0);
assert.strictEqual(ticks.iteration, 0);
assert.strictEqual(allTicks.id, ticks.id);
assert.strictEqual(allTicks.payload, 12000);

assert.strictEqual(reactions.what, 'microtask');
assert.match(reactions.name, /^promiseAgain \(.*starvation\.js:10:/);
assert.strictEqual(tasks.find((task) => task.id === reactions.cause).name, 'later');
assert.ok(allReactions.payload >= 11999);

// Nothing of the loop ran while the ticks did.
const starved = tasks.filter((task) => task.time < allTicks.time);
assert.ok(starved.every((task) => task.what === 'tick'));

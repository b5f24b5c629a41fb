// console.context and console.createTask: for an inspector; without one, nothing is shown and tasks just run.
'use strict';
const assert = require('node:assert');

const task = console.createTask('name');
assert.strictEqual(task.run(() => 5), 5);
assert.throws(() => task.run(), { message: 'First argument must be a function.' });
for (const wrong of [undefined, 1, '']) {
  assert.throws(() => console.createTask(wrong), { message: 'First argument must be a non-empty string.' });
}
const context = console.context('name');
assert.strictEqual(context.log('shown nowhere'), undefined);
assert.ok('timeStamp' in context);

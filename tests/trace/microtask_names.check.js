// S118: names of the microtasks, in the order in which they were queued.
const assert = require('node:assert');
const { of } = require('./support/records.cjs');

const names = of('task.queued', 'microtask').map((record) => record.name?.replace(/\(.*\//, '('));
assert.deepStrictEqual(names, [
  'await in waits (microtask_names.js:2:26)',  // await 0
  'called (microtask_names.js:4:31)',
  'await in waits (microtask_names.js:2:35)',  // await of the pending promise
  'handled (microtask_names.js:3:30)',
]);

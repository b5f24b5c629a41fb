const assert = require('node:assert');
const { of } = require('./support/records.cjs');

const short = (record) => record.name?.replace(/\((?:file:\/\/)?\/[^)]*\//g, '(') ?? '';
const names = (what) => of('task.queued', what).map(short);

assert.deepStrictEqual(names('timer'), Array(2).fill('settles the promise made in sleep (settled_names.js:5:10)'));
assert.deepStrictEqual(names('immediate'), [
  'settles a promise, queued in later (settled_names.js:16:20)',
  'greet (settled_names.js:19:15)',
]);
assert.ok(names('tick').some((name) => name.startsWith('tickInContext (')));
const microtasks = names('microtask');
assert.ok(microtasks.some((name) => name.startsWith('microtaskInContext (')));
assert.deepStrictEqual(microtasks.filter((name) => name.startsWith('await ')), ['await in main (settled_names.js:9:3)', 'await in main (settled_names.js:10:3)']);
assert.ok(microtasks.some((name) => name.startsWith('promise reaction')));

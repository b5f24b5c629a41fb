const assert = require('node:assert');
const { of } = require('./support/records.cjs');

const places = of('task.queued', 'microtask').map((record) => /^await in waits .*:(\d+:\d+)\)$/.exec(record.name)?.[1]);
assert.deepStrictEqual(places.filter(Boolean), ['8:3', '9:3', '10:3', '10:12', '12:3', '13:3', '16:3', '19:5', '19:5', '21:10']);

// S118, S120: the first enters the microtask queue when the promise settles, the second when it is registered.
const assert = require('node:assert');
const { of, task } = require('./support/records.cjs');

const queued = of('task.queued', 'microtask').map((r) => r.time);
const [before, after, end] = ['beforeSettling', 'afterSettling', 'atTheEnd'].map((name) => task(name).queued.time);
assert.strictEqual(queued.length, 2);
assert.ok(before < queued[0] && queued[0] < after, 'queued when it settled');
assert.ok(after < queued[1] && queued[1] < end, 'queued when it was registered');

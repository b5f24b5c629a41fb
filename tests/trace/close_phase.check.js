// S64, S77, S78: the tick queued by each close listener tells the phase in which the event came.
const assert = require('node:assert');
const { exitCode, task } = require('./support/records.cjs');

assert.strictEqual(exitCode, 0);
assert.strictEqual(task('afterDestroy').phase, 'closing');
assert.strictEqual(task('afterFile').phase, 'poll');

// S32: the thousand connections cost no thread (exit code 20 would say so) and no job of the pool. S33: every connection, request and
// answer is a callback of poll.
const assert = require('node:assert');
const { exitCode, records, tasks } = require('./support/records.cjs');

assert.strictEqual(exitCode, 0);
assert.deepStrictEqual(records.filter((record) => record.kind.startsWith('job.')), []);
const events = (name) => tasks.filter((task) => task.what === 'io' && task.name.replace(/ → .*/, '') === name);
assert.strictEqual(events('server connection').length, 1001);
assert.strictEqual(events('net.connect').length, 1001);
const data = events('socket data');
assert.strictEqual(data.length, 2);  // the request, and its answer
for (const task of [...events('server connection'), ...events('net.connect'), ...data]) assert.strictEqual(task.phase, 'poll', task.name);

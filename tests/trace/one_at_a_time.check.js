// S8, S9, S11, S121: a task begins only when no other runs, and ends before the next begins.
const assert = require('node:assert');
const { records } = require('./support/records.cjs');

let running = null;
let count = 0;
for (const record of records) {
  if (record.kind === 'task.begin') {
    assert.strictEqual(running, null, 'no task begins inside another');
    assert.strictEqual(record.depth, 1, 'a task starts on an empty stack');
    running = record.id;
    count++;
  } else if (record.kind === 'task.end') {
    assert.strictEqual(record.id, running);
    running = null;
  }
}
assert.ok(count >= 21, `${count} tasks`);

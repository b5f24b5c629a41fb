// Every thread has a loop of its own (S26, S191, S193): its records are numbered by runtime, begin with its first iteration and end before
// the process; a message names the task that sent it, in whatever runtime (S29, S109).
const assert = require('node:assert');
const { all: records } = require('./support/records.cjs');

const runtimes = [...new Set(records.map((record) => record.runtime))].sort();
assert.deepStrictEqual(runtimes, [0, 1, 2]);
for (const runtime of [1, 2]) {
  const own = records.filter((record) => record.runtime === runtime);
  assert(own.some((record) => record.kind === 'iteration'));
  assert(own.some((record) => record.kind === 'task.begin' && record.what === 'script'));
  const asked = own.filter((record) => record.kind === 'task.queued' && /^message .* ← main thread #\d+$/.test(record.name ?? ''));
  assert.strictEqual(asked.length, 2, JSON.stringify(own.filter((record) => record.kind === 'task.queued')));
  const began = records.find((record) => record.runtime === 0 && record.kind === 'task.queued' && record.name?.startsWith('begin ('));
  assert(asked[0].name.endsWith(`#${began.id}`));
  // The answer goes back to the timer of the worker.
  const later = own.find((record) => record.kind === 'task.queued' && record.name?.startsWith('later ('));
  const answers = records.filter((record) => record.runtime === 0 && record.name?.endsWith(`← worker ${runtime} #${later.id}`));
  assert.strictEqual(answers.length, 1);
}

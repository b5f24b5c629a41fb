// S34, S88, S106, S116: ledger opened, script, its ticks and microtasks, and only then the first iteration.
const assert = require('node:assert');
const { records, of, tasks, task, exitCode } = require('./support/records.cjs');

assert.strictEqual(exitCode, 0);
assert.strictEqual(records[0].kind, 'start');
const [begin] = of('task.begin', 'script');
const [end] = of('task.end', 'script');
const [iteration] = of('iteration');
assert.ok(begin.time <= end.time && end.time <= iteration.time);
assert.strictEqual(task('tick').iteration, 0);
for (const microtask of tasks.filter((t) => t.what === 'microtask')) assert.strictEqual(microtask.iteration, 0);
assert.ok(task('tick').time > end.time && task('tick').time < iteration.time);
assert.ok(task('timer').iteration >= 1 && task('immediate').iteration >= 1);
assert.strictEqual(records.at(-1).kind, 'exit');

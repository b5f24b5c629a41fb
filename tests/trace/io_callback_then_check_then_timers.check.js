// S76: poll, check and closing of one iteration, timers of the next.
const assert = require('node:assert');
const { exitCode, task } = require('./support/records.cjs');

assert.strictEqual(exitCode, 0);
for (const name of ['data', 'file']) {
  const poll = task(`${name}_poll`), check = task(`${name}_immediate`), timer = task(`${name}_timer`);
  assert.deepStrictEqual([poll.phase, check.phase, timer.phase], ['poll', 'check', 'timers']);
  assert.deepStrictEqual([check.iteration, timer.iteration], [poll.iteration, poll.iteration + 1], name);
}
const poll = task('data_poll'), closed = task('data_close');
assert.strictEqual(closed.phase, 'closing');
assert.strictEqual(closed.iteration, poll.iteration);
assert.ok(task('data_immediate').time < closed.time && closed.time < task('data_timer').time);

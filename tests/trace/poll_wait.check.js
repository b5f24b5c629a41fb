// S49, S56, S152: with an immediate queued poll does not wait; then it waits once, for exactly what is left to the timer.
const assert = require('node:assert');
const { of, task } = require('./support/records.cjs');

const waits = of('wait.begin');
assert.strictEqual(waits[0].payload, 0, 'no wait while an immediate is queued');
const long = waits.filter((r) => r.payload !== 0);
assert.ok(long.length >= 1 && long.length <= 2, `${long.length} waits for one timer`);
for (const wait of long) {
  const due = task('far').queued.time + 200e6;
  assert.ok(Math.abs(wait.time + wait.payload - due) < 20e6, `waits ${wait.payload} ns, ${due - wait.time} ns are left`);
}
assert.ok(of('iteration').length <= 4, `${of('iteration').length} iterations`);
assert.ok(task('far').time - task('far').queued.time >= 200e6);

// S65: closing is the last phase of its iteration; the next one to run callbacks is timers, of the next iteration.
const assert = require('node:assert');
const { exitCode, of, records, task } = require('./support/records.cjs');

assert.strictEqual(exitCode, 0);
const closed = task('closed'), timer = task('timerAfterClosing'), immediate = task('immediateAfterClosing');
assert.strictEqual(closed.phase, 'closing');
assert.strictEqual(timer.phase, 'timers');
assert.strictEqual(timer.iteration, closed.iteration + 1);
assert.strictEqual(immediate.iteration, closed.iteration + 1);
assert.ok(timer.time < immediate.time, 'timers come before check');
const phases = of('phase.begin').filter((r) => r.time > closed.time);
assert.strictEqual(phases[0].phase, 'timers', 'the phase after closing');
assert.ok(records.some((r) => r.kind === 'iteration' && r.iteration === timer.iteration && r.time > closed.time && r.time < timer.time));

const check = task('nothingToClose'), next = task('timerAfterNothing'), later = task('immediateAfterNothing');
assert.strictEqual(check.phase, 'check');
assert.strictEqual(next.phase, 'timers');
assert.strictEqual(next.iteration, check.iteration + 1);
assert.strictEqual(later.iteration, check.iteration + 1);
assert.ok(next.time < later.time);
assert.strictEqual(of('phase.begin').find((r) => r.time > check.time).phase, 'timers', 'the phase after check when nothing closes');

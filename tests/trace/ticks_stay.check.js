// S81, S84, S102, S103: a tick runs in the phase and iteration that queued it, before the phase's next callback; an immediate
// queued from timers runs in the same iteration's check, one queued from check in the next iteration's.
const assert = require('node:assert');
const { task } = require('./support/records.cjs');

assert.strictEqual(task('tickOfScript').iteration, 0);
assert.strictEqual(task('immediateOfScript').iteration, 1);
for (const [name, next] of [['Timer', 'nextTimer'], ['Check', 'nextCheck']]) {
  const outer = task(`in${name}`);
  const tick = task(`tickOf${name}`);
  assert.deepStrictEqual([tick.phase, tick.iteration, tick.queued.cause], [outer.phase, outer.iteration, outer.id]);
  assert.ok(outer.end.time <= tick.time && tick.end.time <= task(next).time);
}
assert.strictEqual(task('immediateOfTimer').iteration, task('inTimer').iteration);
assert.strictEqual(task('immediateOfCheck').iteration, task('inCheck').iteration + 1);
assert.strictEqual(task('immediateOfCheck').phase, 'check');

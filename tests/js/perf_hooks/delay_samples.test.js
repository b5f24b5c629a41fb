// monitorEventLoopDelay has a sample for each time its timer comes round, idle or busy; a task that blocks is one sample as long as
// itself, and two monitors keep their own.
'use strict';
const assert = require('node:assert');
const { monitorEventLoopDelay } = require('node:perf_hooks');

const fast = monitorEventLoopDelay({ resolution: 2 });
const slow = monitorEventLoopDelay({ resolution: 20 });
fast.enable();
slow.enable();

function block() {
  const before = fast.count;
  const end = performance.now() + 60;
  while (performance.now() < end);
  assert.strictEqual(fast.count, before);  // nothing comes round while the loop is blocked
  whenCounted(before + 1, () => {
    assert.ok(fast.max >= 50e6, String(fast.max));
    whenCounted(20, finish);
  });
}

// An idle loop counts, too.
function whenCounted(count, done) {
  if (fast.count >= count && slow.count >= 1) return done();
  setTimeout(whenCounted, 5, count, done);
}
whenCounted(10, block);

function finish() {
  const { count } = slow;
  assert.ok(fast.count > count, `${fast.count} ${count}`);
  assert.ok(fast.mean >= 1e6 && fast.percentile(50) >= 1e6, `${fast.mean} ${fast.percentile(50)}`);
  assert.strictEqual(fast.disable(), true);
  assert.strictEqual(fast.disable(), false);
  const kept = fast.count;
  setTimeout(() => {
    assert.strictEqual(fast.count, kept);
    slow.enable();  // still enabled, and keeps nothing alive
  }, 10);
}

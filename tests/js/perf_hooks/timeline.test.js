// Marks, measures, observers, histograms, and the loop's own report of its time.
'use strict';
const assert = require('node:assert');
const { performance: hooks, PerformanceObserver, createHistogram, monitorEventLoopDelay } = require('node:perf_hooks');

assert.strictEqual(hooks, performance);
const before = performance.now();
assert.ok(performance.now() >= before);
assert.ok(Math.abs(performance.timeOrigin + performance.now() - Date.now()) < 5000);

performance.mark('a', { startTime: 10, detail: { x: 1 } });
performance.mark('b', { startTime: 25 });
const measure = performance.measure('m', 'a', 'b');
assert.deepStrictEqual([measure.startTime, measure.duration], [10, 15]);
assert.deepStrictEqual(performance.getEntriesByType('mark').map((entry) => entry.name), ['a', 'b']);
performance.clearMarks('a');
assert.strictEqual(performance.getEntriesByName('a').length, 0);
assert.throws(() => performance.measure('z', 'nowhere'), { name: 'SyntaxError' });

const histogram = createHistogram();
for (let i = 1; i <= 100; i++) histogram.record(i);
assert.deepStrictEqual([histogram.min, histogram.max, histogram.count], [1, 100, 100]);
assert.strictEqual(histogram.percentile(50), 50);
assert.throws(() => histogram.record(0), { code: 'ERR_OUT_OF_RANGE' });

const monitor = monitorEventLoopDelay();
assert.strictEqual(monitor.enable(), true);
assert.strictEqual(monitor.enable(), false);
let observed = 0;
new PerformanceObserver((list, observer) => {
  observed = list.getEntries().length;
  observer.disconnect();
}).observe({ entryTypes: ['mark'] });
performance.mark('seen');
performance.timerify(function f() {})();

// Until the loop has waited once; on a busy machine the first timers may all be due at once.
const start = performance.eventLoopUtilization();
function check() {
  const spent = performance.eventLoopUtilization(performance.eventLoopUtilization(), start);
  if (spent.idle === 0) {
    setTimeout(check, 20);
    return;
  }
  assert.ok(spent.utilization > 0 && spent.utilization < 1);
  assert.ok(monitor.count > 0);
  assert.strictEqual(monitor.disable(), true);
}
setTimeout(check, 20);
process.on('exit', () => assert.strictEqual(observed, 1));

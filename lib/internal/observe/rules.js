// natives: none
// The doctor's rules over pulses: pure functions. A pulse comes every ten milliseconds (src/observe/pulse.h). Each rule says which class
// of trouble there may be; doctor.js then asks for stacks to name the function. `clock` of a pulse is the time of its thread
// (thread_clock.js).
'use strict';

const kWindow = 500; // ms over which rates are taken

const advice = {
  __proto__: null,
  'synchronous-block': 'Split the work with setImmediate between the parts, or do it in a worker thread.',
  'tick-recursion': 'process.nextTick runs before the loop goes on: use setImmediate to let timers and I/O have a turn.',
  'microtask-recursion': 'Promises run before the loop goes on: await something of the loop (setImmediate, a timer) between two steps.',
  'poll-flood': 'Take less at once: pause the stream or socket, or answer in batches, so that timers have a turn.',
  'timer-flood': 'One timer with a list of what is due does the same as thousands of timers.',
  'message-flood': 'Send fewer and larger messages, or wait for an answer before the next.',
  'pool-saturation': 'Start fewer of these at once, or give the pool more threads (UV_THREADPOOL_SIZE).',
  'handle-leak': 'Close what is opened here when it is not needed any more.',
  'memory-leak': 'Something keeps what is made here: bound the cache, remove listeners, drop references.',
  'gc-pressure': 'Make fewer short-lived objects here: reuse buffers and objects.',
  'unsettled-promise': 'Nothing is left that could settle what this waits for: resolve or reject it on every path.',
  'slow-start': 'Load modules when they are first needed, and do the work of the start later.',
  'late-timer': 'The timer had to wait for what ran before it: shorten that.',
};

// Ratio of a window in which the loop slept.
const idleShare = (from, to) => (to.idle - from.idle) / Math.max(1, to.clock - from.clock);

class Rules {
  constructor({ threshold = 100, threads = 4 } = {}) {
    this.threshold = threshold;
    this.threads = threads;
    this.window = []; // pulses of the last kWindow
    this.saturatedSince = undefined;
    this.blockedAt = -Infinity;
  }

  // → classes that a pulse gives reason to look for.
  see(pulse) {
    arrayPush.call(this.window, pulse);
    while (this.window.length > 1 && this.window[0].clock < pulse.clock - kWindow) arrayShift.call(this.window);
    const found = [];
    if (pulse.busy > this.threshold) arrayPush.call(found, 'busy');
    if (this.isSaturated(pulse)) arrayPush.call(found, 'pool-saturation');
    const flood = this.flood(pulse);
    if (flood !== undefined) arrayPush.call(found, flood);
    return found;
  }

  // The loop hears of the end of a job: while it is blocked, nothing is known.
  isSaturated({ jobs: { 0: queued, 1: done }, jobWait, clock: now, busy }) {
    const kBlocked = 30;
    if (busy > kBlocked) this.blockedAt = now;
    if (queued - done <= this.threads || now - this.blockedAt < this.threshold) {
      this.saturatedSince = undefined;
      return false;
    }
    this.saturatedSince ??= now;
    return jobWait > this.threshold || now - this.saturatedSince > Math.max(this.threshold, kWindow);
  }

  flood(pulse) {
    // A visit of poll that goes on and on, one short callback after another.
    const kCallbacks = 50;
    if (pulse.phase === 'poll' && pulse.phaseTime > this.threshold && pulse.phaseCallbacks >= kCallbacks) return 'poll-flood';
    const first = this.window[0];
    if (pulse.clock - first.clock < kWindow * 0.9) return undefined;
    const kBudgets = 3;
    const kMessages = 2000;
    const kVeryMany = 10_000;
    const idle = idleShare(first, pulse);
    const messages = pulse.messages - first.messages;
    if (messages >= kVeryMany || (idle < 0.5 && messages >= kMessages)) return 'message-flood';
    if (idle < 0.1 && pulse.budget - first.budget >= kBudgets) return 'poll-flood';
    // Between two rounds of timers that are due in a millisecond the loop sleeps a little.
    const inTimers = arrayFilter.call(this.window, (one) => one.phase === 'timers').length;
    return idle < 0.5 && inTimers > this.window.length * 0.4 ? 'timers?' : undefined;
  }
}

module.exports = { Rules, advice };

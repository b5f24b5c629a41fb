// natives: none
// The doctor's rules over pulses: pure functions. A pulse comes every ten milliseconds (src/observe/pulse.h). Each rule says which class
// of trouble there may be; doctor.js then asks for stacks to name the function.
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

const lastOf = (list) => list[list.length - 1];

// Ratio of a window in which the loop slept.
const idleShare = (from, to) => (to.idle - from.idle) / Math.max(1, to.now - from.now);

class Rules {
  constructor({ threshold = 100, threads = 4 } = {}) {
    this.threshold = threshold;
    this.threads = threads;
    this.window = []; // pulses of the last kWindow
    this.heaps = []; // [time, bytes] after each collection
    this.collected = []; // [time, collecting ms, collections]
    this.handles = []; // [time, open] twice a second
    this.saturatedSince = undefined;
  }

  // → classes that a pulse gives reason to look for.
  see(pulse) {
    arrayPush.call(this.window, pulse);
    while (this.window.length > 1 && this.window[0].now < pulse.now - kWindow) arrayShift.call(this.window);
    const found = [];
    if (pulse.busy > this.threshold) arrayPush.call(found, 'busy');
    if (this.isSaturated(pulse)) arrayPush.call(found, 'pool-saturation');
    if (this.isLeakingHandles(pulse)) arrayPush.call(found, 'handle-leak');
    const memory = this.memory(pulse);
    if (memory !== undefined) arrayPush.call(found, memory);
    const flood = this.flood(pulse);
    if (flood !== undefined) arrayPush.call(found, flood);
    return found;
  }

  isSaturated({ jobs: { 0: queued, 1: done }, jobWait, now }) {
    if (queued - done <= this.threads) {
      this.saturatedSince = undefined;
      return false;
    }
    this.saturatedSince ??= now;
    return jobWait > this.threshold || now - this.saturatedSince > Math.max(this.threshold, kWindow);
  }

  // Handles that only grow: in six half seconds one after another, and hardly one of them closed.
  isLeakingHandles({ handles, now }) {
    const last = lastOf(this.handles);
    if (last !== undefined && now - last.now < kWindow) return false;
    const kinds = Object.keys(handles);
    let opened = 0,
      closed = 0;
    for (let i = 0; i < kinds.length; i++) {
      opened += handles[kinds[i]][0];
      closed += handles[kinds[i]][1];
    }
    arrayPush.call(this.handles, { now, opened, closed });
    const kSteps = 6,
      kLeast = 50;
    if (this.handles.length <= kSteps) return false;
    if (this.handles.length > kSteps + 1) arrayShift.call(this.handles);
    for (let i = 1; i < this.handles.length; i++) {
      const before = this.handles[i - 1],
        after = this.handles[i];
      if (after.opened - after.closed <= before.opened - before.closed) return false;
    }
    const first = this.handles[0];
    const grown = opened - closed - (first.opened - first.closed);
    return grown >= kLeast && closed - first.closed < (opened - first.opened) / 10;
  }

  memory({ heap, collections, collecting, now }) {
    const last = lastOf(this.collected);
    if (last === undefined || last.collections !== collections) {
      arrayPush.call(this.collected, { now, collections, collecting });
      arrayPush.call(this.heaps, { now, heap });
    }
    while (this.collected.length > 1 && this.collected[0].now < now - 1000) arrayShift.call(this.collected);
    const first = this.collected[0];
    const share = (collecting - first.collecting) / Math.max(500, now - first.now);
    const kBusy = 0.35,
      kMany = 10;
    if (collections - first.collections >= kMany && share > kBusy) return 'gc-pressure';
    return this.grows() ? 'memory-leak' : undefined;
  }

  // The heap that is left after collections grows from one to the next, by much, over some time.
  grows() {
    const kSteps = 6,
      kMegabytes = 24 * 1024 * 1024,
      kTime = 1500;
    while (this.heaps.length > 64) arrayShift.call(this.heaps);
    // The least after each third part: single collections of what is new leave more than whole ones.
    if (this.heaps.length < kSteps) return false;
    const first = this.heaps[0],
      last = lastOf(this.heaps);
    if (last.now - first.now < kTime) return false;
    const part = Math.floor(this.heaps.length / 3);
    const leastOf = (i) => Math.min(...each(arrayMap.call(arraySlice.call(this.heaps, i * part, (i + 1) * part), (one) => one.heap)));
    const least = [leastOf(0), leastOf(1), leastOf(2)];
    return least[1] > least[0] * 1.1 && least[2] > least[1] * 1.1 && least[2] - least[0] > kMegabytes;
  }

  flood(pulse) {
    const first = this.window[0];
    if (pulse.now - first.now < kWindow * 0.9) return undefined;
    const kBudgets = 3;
    const kMessages = 2000;
    const idle = idleShare(first, pulse);
    if (idle < 0.1 && pulse.budget - first.budget >= kBudgets) return 'poll-flood';
    if (idle < 0.1 && pulse.messages - first.messages >= kMessages) return 'message-flood';
    // Between two rounds of timers that are due in a millisecond the loop sleeps a little.
    const inTimers = arrayFilter.call(this.window, (one) => one.phase === 'timers').length;
    return idle < 0.5 && inTimers > this.window.length * 0.4 ? 'timers?' : undefined;
  }
}

module.exports = { Rules, advice };

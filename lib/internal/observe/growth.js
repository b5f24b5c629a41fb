// natives: none
// The doctor's rules over what grows: open handles, timers, files; the memory that a program keeps. Pure: numbers in, a verdict out.
'use strict';

const lastOf = (list) => list[list.length - 1];

const kStep = 250; // ms
const kSteps = 8; // that grow one after another: a leak
const kSuspicious = 3; // that do: reason to note where the program opens more

// A count that only grows.
class GrowingCount {
  constructor(least) {
    this.least = least;
    this.seen = []; // { now, open, closed }
  }

  // → '', 'suspicious', 'leak'
  add(now, open, closed = 0) {
    const last = lastOf(this.seen);
    if (last !== undefined && now - last.now < kStep) return '';
    if (last !== undefined && open <= last.open) arraySplice.call(this.seen, 0);
    arrayPush.call(this.seen, { now, open, closed });
    if (this.seen.length <= kSuspicious) return '';
    if (this.seen.length > kSteps + 1) arrayShift.call(this.seen);
    if (this.seen.length <= kSteps || this.grown < this.least) return 'suspicious';
    const wereClosed = closed - this.seen[0].closed;
    return wereClosed < (this.grown + wereClosed) / 10 ? 'leak' : '';
  }

  get grown() {
    return lastOf(this.seen).open - this.seen[0].open;
  }
  get time() {
    return lastOf(this.seen).now - this.seen[0].now;
  }
}

const kMegabyte = 1024 * 1024;

// Memory of a process and what whole collections leave of its heap. Collections are asked for only where memory grows.
class MemoryGrowth {
  constructor() {
    this.base = 0; // bytes of the process from which it must have grown
    this.sizes = []; // { now, heap } after collections
    this.lastLook = 0;
    this.atLast = 0;
    this.grew = 0; // looks one after another at which it had grown
  }

  // A look at the process, now and then. → true when a collection is wanted
  sees(now, bytes) {
    const kGrown = 10 * kMegabyte,
      kLooks = 3,
      kBetween = 600,
      kGivesUp = 2500;
    if (now - this.lastLook < kStep) return false;
    this.lastLook = now;
    if (this.base === 0) this.base = bytes;
    if (bytes > this.atLast) this.grew++;
    if (bytes < this.atLast) this.grew = 0;
    this.atLast = bytes;
    const last = lastOf(this.sizes);
    if (last === undefined) return bytes - this.base > kGrown && this.grew >= kLooks;
    if (now - last.now > kGivesUp) this.startAnew(bytes);
    return this.sizes.length > 0 && now - last.now >= kBetween;
  }

  // → true when it is a leak: each of four collections left more than the one before.
  collected(now, heap, bytes) {
    const kCollections = 4,
      kLeast = 1.5 * kMegabyte,
      kAll = 8 * kMegabyte;
    const last = lastOf(this.sizes);
    if (last !== undefined && heap - last.heap < kLeast) {
      this.startAnew(bytes);
      return false;
    }
    arrayPush.call(this.sizes, { now, heap });
    if (this.sizes.length < kCollections) return false;
    const grown = this.grown;
    this.startAnew(bytes);
    return grown >= kAll;
  }

  // Suspicion was not justified, or is told: the next needs more.
  startAnew(bytes) {
    this.sizes = [];
    this.base = Math.max(bytes, this.base) * 1.25;
    this.grew = 0;
  }

  get isSuspicious() {
    return this.sizes.length > 0;
  }
  get grown() {
    return lastOf(this.sizes).heap - this.sizes[0].heap;
  }
}

// Collections of the last second: many, or much of the time.
class CollectionRate {
  constructor() {
    this.seen = []; // pulses, one in fifty milliseconds
  }

  // Times on the clock of the program's thread: rates are of the time in which it had a processor.
  isPressure(pulse) {
    const kTime = 1000,
      kBetween = 50,
      kFew = 10,
      kShare = 0.1,
      kMany = 20,
      kIdle = 0.3;
    const last = lastOf(this.seen);
    if (last !== undefined && pulse.clock - last.clock < kBetween) return false;
    arrayPush.call(this.seen, pulse);
    while (this.seen.length > 2 && pulse.clock - this.seen[1].clock > kTime) arrayShift.call(this.seen);
    const first = this.seen[0];
    const time = pulse.clock - first.clock;
    if (time < kTime) return false;
    const count = ((pulse.collections - first.collections) * 1000) / time;
    const share = Math.min(1, (pulse.collecting - first.collecting) / time);
    const idle = (pulse.idle - first.idle) / time;
    this.count = Math.round(count);
    this.share = share;
    return (count >= kFew && share >= kShare) || (count >= kMany && idle < kIdle);
  }

  forget() {
    this.seen = [];
  }
}

module.exports = { GrowingCount, MemoryGrowth, CollectionRate, kStep };

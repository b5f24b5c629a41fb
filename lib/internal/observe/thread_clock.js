// natives: none
// A clock of one thread of another process that stands still while the thread is ready to run and has no processor, or waits for a
// collector that has none: a busy machine makes callbacks long and timers late, and the program is not to blame. It goes on while the
// thread runs and while it sleeps. The doctor counts all times of a program on it.
//
// Linux tells what a thread ran and waited (schedstat) with a delay: a wait counts when it is over. A thread that is ready now and did
// not run since the last look has waited.
'use strict';

const fs = require('internal/fs/fs');

const kKept = 3000; // looks: half a minute
const kSoon = 1; // ms between two looks

// Of the machine, in ms: that of pulses.
function now() {
  const { 0: seconds, 1: nanoseconds } = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

// Where the clock goes on to from `last`, after a look that found so much.
function advance(last, seen) {
  const time = seen.now - last.now;
  const ran = Math.max(0, seen.ran - last.ran);
  if (seen.isReady) return last.clock + Math.min(time, ran);
  const slept = Math.max(0, time - ran - Math.max(0, seen.waited - last.waited));
  const collected = Math.max(0, seen.collecting - last.collecting);
  return last.clock + Math.min(time, ran + Math.max(0, slept - collected));
}

// A thread that is new to the watcher has run and waited before the first look: as if the two had taken turns until then.
const beforeFirst = ({ now: time, clock, ran, waited }) => ({
  now: time - ran - waited,
  clock: clock - ran,
  ran: 0,
  waited: 0,
  collecting: 0,
});

class ThreadClock {
  constructor(pid, thread = pid, folder = `/proc/${pid}/task/${thread}`) {
    this.folder = folder;
    this.seen = []; // { now, clock, ran, waited, collecting } in ms
    this.look();
    const first = lastOf(this.seen);
    if (first !== undefined) arrayUnshift.call(this.seen, beforeFirst(first));
  }

  // `collecting`: time of the program's collections so far.
  look(collecting = lastOf(this.seen)?.collecting ?? 0) {
    const last = lastOf(this.seen);
    const time = now();
    if (last !== undefined && time - last.now < kSoon) return;
    let seen;
    try {
      const { 0: ran, 1: waited } = stringSplit.call(fs.readFileSync(`${this.folder}/schedstat`, 'utf8'), ' ');
      const about = fs.readFileSync(`${this.folder}/stat`, 'utf8');
      const isReady = about[stringLastIndexOf.call(about, ')') + 2] === 'R';
      seen = { now: time, ran: Number(ran) / 1e6, waited: Number(waited) / 1e6, isReady, collecting };
    } catch {
      return; // it has ended, or the kernel does not count
    }
    seen.clock = last === undefined ? 0 : advance(last, seen);
    arrayPush.call(this.seen, seen);
    if (this.seen.length > kKept) arrayShift.call(this.seen);
  }

  // The clock at a time of the machine's.
  when(time) {
    const { seen } = this;
    const last = lastOf(seen);
    if (last === undefined) return time;
    if (time >= last.now) return last.clock;
    let i = seen.length - 1;
    while (i > 0 && seen[i - 1].now > time) i--;
    if (i === 0) return seen[0].clock - (seen[0].now - time);
    const from = seen[i - 1],
      to = seen[i];
    return from.clock + ((to.clock - from.clock) * (time - from.now)) / (to.now - from.now);
  }

  // Of a time that ended at `end`, the part in which the thread ran or slept.
  part(time, end) {
    return Math.min(time, Math.max(0, this.when(end) - this.when(end - time)));
  }

  read() {
    this.look();
    return this.when(now());
  }
}

const lastOf = (list) => list[list.length - 1];

module.exports = { ThreadClock, now };

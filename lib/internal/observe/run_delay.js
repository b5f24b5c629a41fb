// natives: none
// Time for which the main thread of a process was ready to run and got no processor, as Linux counts it: a busy machine makes callbacks
// long and timers late, and the program is not to blame.
'use strict';

const fs = require('internal/fs/fs');

const kKept = 1000; // looks: ten seconds

class RunDelay {
  constructor(pid) {
    this.path = `/proc/${pid}/task/${pid}/schedstat`;
    this.seen = []; // { now, delay } in ms
  }

  // A process that `isNew` had no delay before.
  look(now, isNew) {
    let delay = 0;
    try {
      delay = Number(stringSplit.call(fs.readFileSync(this.path, 'utf8'), ' ')[1]) / 1e6;
    } catch {
      return; // it has ended, or the kernel does not count
    }
    if (isNew && this.seen.length === 0) arrayPush.call(this.seen, { now: now - 1, delay: 0 });
    arrayPush.call(this.seen, { now, delay });
    if (this.seen.length > kKept) arrayShift.call(this.seen);
  }

  // Of the last `time` ms before the last look.
  during(time) {
    const { length } = this.seen;
    if (length === 0) return 0;
    const last = this.seen[length - 1];
    let first = last;
    for (let i = length - 1; i >= 0 && this.seen[i].now >= last.now - time - 10; i--) first = this.seen[i];
    return Math.min(time, last.delay - first.delay);
  }
}

module.exports = { RunDelay };

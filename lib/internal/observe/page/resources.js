// natives: none
// Handles, timers, operations and pool jobs at a moment of a recorded run.
'use strict';

const { kind, kHandleKinds, kJobClasses } = require('internal/observe/page/records');

// Handles a person knows; the rest are the runtime's own.
const kKnownHandles = new Set([
  'tcp',
  'tcp server',
  'pipe',
  'pipe server',
  'tty',
  'udp',
  'file watch',
  'file poll',
  'signal',
  'process',
  'poll',
  'user',
]);

class Resources {
  constructor(records) {
    this.records = records;
    this.events = null;
  }

  // Records about handles and jobs alone, once.
  gather() {
    const { records } = this;
    this.events = [];
    for (let i = 0; i < records.count; i++) {
      const one = records.kindAt(i);
      const isHandle = one >= kind.handleStart && one <= kind.handleClose;
      if (isHandle || (one >= kind.jobQueued && one <= kind.jobEnd)) this.events.push(i);
    }
  }

  at(time) {
    if (this.events === null) this.gather();
    const { records } = this;
    const handles = new Map();
    const jobs = new Map();
    for (const i of this.events) {
      if (records.times[i] > time) break;
      const one = records.kindAt(i);
      const id = records.idAt(i);
      const at = records.times[i];
      if (one === kind.handleStart) handles.set(id, { id, kind: kHandleKinds[records.whatAt(i)] ?? 'handle', since: at });
      else if (one === kind.handleStop || one === kind.handleClose) handles.delete(id);
      else if (one === kind.jobQueued)
        jobs.set(id, {
          id,
          kind: kJobClasses[records.whatAt(i)] ?? 'user',
          cause: records.causeAt(i),
          queued: at,
          begin: null,
          thread: null,
        });
      else if (one === kind.jobBegin) Object.assign(jobs.get(id) ?? {}, { begin: at, thread: records.payloadAt(i) });
      else if (one === kind.jobEnd) jobs.delete(id);
    }
    return { handles: [...handles.values()].filter((one) => kKnownHandles.has(one.kind)), jobs: [...jobs.values()] };
  }

  // Runs of pool jobs between two moments, by thread: [{ id, kind, thread, from, to }], at most so many.
  jobRuns(from, to, most) {
    if (this.events === null) this.gather();
    const { records } = this;
    const begun = new Map();
    const runs = [];
    for (const i of this.events) {
      const one = records.kindAt(i);
      if (one === kind.jobBegin) begun.set(records.idAt(i), records.times[i]);
      if (one !== kind.jobEnd) continue;
      const id = records.idAt(i);
      const start = begun.get(id);
      if (start === undefined || records.times[i] < from || start > to) continue;
      runs.push({ id, kind: kJobClasses[records.whatAt(i)] ?? 'user', thread: records.payloadAt(i), from: start, to: records.times[i] });
      if (runs.length === most) break;
    }
    return runs;
  }
}

module.exports = { Resources };

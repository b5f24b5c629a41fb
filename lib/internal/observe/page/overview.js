// natives: none
// The whole run at a glance: the longest task of each stretch of steps, for the strip above the slider, and the facts that stand first: how
// long it ran, how many callbacks, how much of the time it slept, the longest. Of a running program: of the last seconds.
'use strict';

const { kind } = require('internal/observe/page/records');
const { firstAfter } = require('internal/observe/page/spans');

const kRecent = 5e9; // ns

class Overview {
  constructor(model) {
    this.model = model;
  }

  // For each of so many equal parts of the steps: the task that begins in it and runs longest, or null.
  strip(parts) {
    const { run, raw, lastTime } = this.model;
    const found = new Array(parts).fill(null);
    const lengths = new Float64Array(parts);
    for (let step = 1; step <= run.stepCount; step++) {
      const i = run.steps[step - 1];
      if (raw.kindAt(i) !== kind.taskBegin) continue;
      const task = run.tasks.get(raw.idAt(i));
      const part = Math.min(parts - 1, Math.floor(((step - 1) * parts) / run.stepCount));
      const ns = (task.end ?? lastTime) - task.begin;
      if (task.kind === 'call' || (found[part] !== null && ns <= lengths[part])) continue;
      found[part] = task;
      lengths[part] = ns;
    }
    return found.map((task, i) => (task === null ? null : { kind: task.kind, ns: lengths[i], id: task.id }));
  }

  // Between two moments: { ns, callbacks, iterations, asleep (ns), longest (a task) }
  facts(from = 0, to = this.model.lastTime) {
    const { model } = this;
    const list = model.begunTasks();
    const first = from === 0 ? 0 : firstAfter(list, from);
    let callbacks = 0;
    let longest = null;
    for (let i = first; i < list.length && list[i].begin <= to; i++) {
      const task = list[i];
      if (task.kind === 'call') continue;
      callbacks++;
      if (task.end !== null && (longest === null || task.end - task.begin > longest.end - longest.begin)) longest = task;
    }
    return { ns: to - from, callbacks, longest, ...this.waits(from, to) };
  }
  recentFacts() {
    const to = this.model.lastTime;
    return this.facts(Math.max(0, to - kRecent), to);
  }

  waits(from, to) {
    const { raw } = this.model;
    let asleep = 0;
    let iterations = 0;
    let began = null;
    for (let i = this.firstRecord(from); i < raw.count && raw.times[i] <= to; i++) {
      const one = raw.kindAt(i);
      if (one === kind.iteration || one === kind.turn) iterations++;
      else if (one === kind.waitBegin) began = raw.times[i];
      else if (one === kind.waitEnd && began !== null) {
        asleep += raw.times[i] - began;
        began = null;
      }
    }
    if (began !== null) asleep += to - began;
    return { asleep, iterations };
  }
  firstRecord(time) {
    const { times, count } = this.model.raw;
    let low = 0;
    let high = time === 0 ? 0 : count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

module.exports = { Overview };

// natives: none
// Tasks over time: which ran between two moments, which were slowest, and marks for a picture in which a million tasks must not take longer
// than a thousand.
'use strict';

const kBefore = 64; // tasks that may reach into a stretch of time from before it

// The first of a list in the order of `begin` that begins after a time.
function firstAfter(list, time) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].begin <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

class Spans {
  constructor(tasks, lastTime) {
    this.tasks = tasks;
    this.lastTime = lastTime;
    this.list = null;
    this.byKind = null;
    this.bySlowness = null;
  }

  // Tasks that have begun, in that order: made when first asked for.
  begun() {
    if (this.list !== null) return this.list;
    this.list = [];
    let isSorted = true;
    let last = -1;
    for (const task of this.tasks.values()) {
      if (task.begin === null) continue;
      if (task.begin < last) isSorted = false;
      last = task.begin;
      this.list.push(task);
    }
    if (!isSorted) this.list.sort((a, b) => a.begin - b.begin);
    return this.list;
  }

  slowest(count) {
    const length = (task) => task.end - task.begin;
    this.bySlowness ??= this.begun()
      .filter((task) => task.end !== null && task.kind !== 'call')
      .sort((a, b) => length(b) - length(a));
    return this.bySlowness.slice(0, count);
  }

  between(from, to, most) {
    const list = this.begun();
    const found = [];
    for (let i = Math.max(0, firstAfter(list, from) - kBefore); i < list.length && list[i].begin <= to && found.length < most; i++) {
      if (list[i].end === null || list[i].end >= from) found.push(list[i]);
    }
    return found;
  }

  ofKind(kind) {
    if (this.byKind === null) {
      this.byKind = {};
      for (const task of this.begun()) (this.byKind[task.kind] ??= []).push(task);
    }
    return this.byKind[kind] ?? [];
  }

  // Stretches in which tasks of a kind ran, one for each of so many equal parts of the time at most: { from, to, count, task }.
  marks(kind, from, to, parts) {
    const list = this.ofKind(kind);
    const part = (to - from) / parts;
    const endOf = (task) => task.end ?? this.lastTime;
    const found = [];
    let last = null;
    for (let i = Math.max(0, firstAfter(list, from) - kBefore); i < list.length && list[i].begin <= to; ) {
      const task = list[i];
      // Within one part nothing more can be told apart.
      let next = i + 1;
      if (next < list.length && list[next].begin < task.begin + part) next = Math.max(next, firstAfter(list, task.begin + part));
      const end = Math.max(endOf(task), endOf(list[next - 1]));
      if (end >= from) {
        if (last !== null && task.begin - last.to < part && task.begin - last.from < part) last.to = Math.max(last.to, end);
        else found.push((last = { from: task.begin, to: end, count: 0, task }));
        last.count += next - i;
      }
      i = next;
    }
    return found;
  }
}

module.exports = { Spans, firstAfter };

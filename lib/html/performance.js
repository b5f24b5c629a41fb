// natives: none
// performance and PerformanceObserver of a window (https://w3c.github.io/performance-timeline/): marks, measures, long tasks, events.
'use strict';

const { loop, sources, queueTask, callScript, define, defineAll } = require('html/agent');

const kLongTaskHook = 1;
const supported = Object.freeze(['event', 'longtask', 'mark', 'measure']);

class PerformanceEntry {
  constructor(name, entryType, startTime, duration, more) {
    this.name = name;
    this.entryType = entryType;
    this.startTime = startTime;
    this.duration = duration;
    Object.assign(this, more);
  }
  toJSON() { return { ...this }; }
}

const timeline = [];
const observers = new Set();

function add(entry) {
  if (entry.entryType !== 'longtask' && entry.entryType !== 'event') timeline.push(entry);
  for (const observer of each(observers)) deliver(observer, entry);
}

function deliver(observer, entry) {
  if (!observer.types.has(entry.entryType)) return;
  observer.buffer.push(entry);
  if (observer.isQueued) return;
  observer.isQueued = true;
  queueTask(sources.dom, () => {
    observer.isQueued = false;
    const entries = observer.take();
    if (entries.length > 0) callScript(observer.callback, observer.self, [listOf(entries), observer.self]);
  });
}

const byTime = (entries) => entries.toSorted((a, b) => a.startTime - b.startTime);
const listOf = (entries) => ({
  getEntries: () => byTime(entries),
  getEntriesByType: (type) => byTime(entries).filter((entry) => entry.entryType === type),
  getEntriesByName: (name, type) => byTime(entries).filter((entry) => entry.name === name && (type === undefined || entry.entryType === type)),
});

class PerformanceObserver {
  #state;
  constructor(callback) {
    if (typeof callback !== 'function') throw new TypeError("Failed to construct 'PerformanceObserver': parameter 1 is not of type 'Function'.");
    this.#state = { callback, self: this, types: new Set(), buffer: [], isQueued: false, take() { return this.buffer.splice(0); } };
  }
  observe(options = {}) {
    const { entryTypes, type, buffered = false } = options;
    if (entryTypes === undefined && type === undefined) throw new TypeError("Failed to execute 'observe': entryTypes or type is required.");
    const state = this.#state;
    if (entryTypes !== undefined) state.types.clear();
    for (const name of each(entryTypes ?? [type])) if (supported.includes(name)) state.types.add(name);
    observers.add(state);
    if (buffered && type !== undefined) for (const entry of each(timeline)) deliver(state, entry);
  }
  disconnect() {
    observers.delete(this.#state);
    this.#state.types.clear();
    this.#state.take();
  }
  takeRecords() { return byTime(this.#state.take()); }
  static get supportedEntryTypes() { return supported; }
}

function timeOf(mark) {
  if (mark === undefined) return undefined;
  if (typeof mark === 'number') return mark;
  const entry = timeline.findLast((candidate) => candidate.entryType === 'mark' && candidate.name === `${mark}`);
  if (entry === undefined) throw new SyntaxError(`Failed to execute 'measure' on 'Performance': The mark '${mark}' does not exist.`);
  return entry.startTime;
}

const performance = {
  now: () => loop.now(),
  timeOrigin: Date.now(),
  mark(name, { startTime = loop.now(), detail = null } = {}) {
    const entry = new PerformanceEntry(`${name}`, 'mark', startTime, 0, { detail });
    add(entry);
    return entry;
  },
  measure(name, from, to) {
    const options = typeof from === 'object' && from !== null ? from : { start: from, end: to };
    const start = timeOf(options.start) ?? 0;
    const end = timeOf(options.end) ?? (options.duration === undefined ? loop.now() : start + options.duration);
    const entry = new PerformanceEntry(`${name}`, 'measure', start, end - start, { detail: options.detail ?? null });
    add(entry);
    return entry;
  },
  ...Object.fromEntries(['Marks', 'Measures'].map((kind) => [`clear${kind}`, (name) => {
    const type = kind === 'Marks' ? 'mark' : 'measure';
    for (let i = timeline.length - 1; i >= 0; i--) {
      if (timeline[i].entryType === type && (name === undefined || timeline[i].name === `${name}`)) timeline.splice(i, 1);
    }
  }])),
  getEntries: () => listOf(timeline).getEntries(),
  getEntriesByType: (type) => listOf(timeline).getEntriesByType(type),
  getEntriesByName: (name, type) => listOf(timeline).getEntriesByName(name, type),
  toJSON() { return { timeOrigin: performance.timeOrigin }; },
};
define(performance, Symbol.toStringTag, 'Performance', false);

function install(window) {
  loop.setHook(kLongTaskHook, (start, duration) => {
    add(new PerformanceEntry('self', 'longtask', start, duration, { attribution: [] }));
  });
  defineAll(window, { performance, PerformanceObserver, PerformanceEntry });
}

module.exports = { install, add, PerformanceEntry };

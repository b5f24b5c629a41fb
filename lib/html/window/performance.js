// natives: none
// performance and PerformanceObserver of a window (https://w3c.github.io/performance-timeline/): marks, measures, long tasks, events.
'use strict';

const { loop, sources, queueTask, callScript, define, defineAll } = require('html/agents/agent');

const supported = Object.freeze(['event', 'longtask', 'mark', 'measure']);

class PerformanceEntry {
  constructor(name, entryType, startTime, duration, more) {
    this.name = name;
    this.entryType = entryType;
    this.startTime = startTime;
    this.duration = duration;
    Object.assign(this, more);
  }
  toJSON() {
    return { ...this };
  }
}

const byTime = (entries) => entries.toSorted((a, b) => a.startTime - b.startTime);
const listOf = (entries) => ({
  getEntries: () => byTime(entries),
  getEntriesByType: (type) => byTime(entries).filter((entry) => entry.entryType === type),
  getEntriesByName: (name, type) =>
    byTime(entries).filter((entry) => entry.name === name && (type === undefined || entry.entryType === type)),
});

const timelines = new Map(); // cell of a document → its window's Timeline; a worker has one

// The entries of a window, and those who observe them.
class Timeline {
  entries = [];
  observers = new Set();

  constructor(cell) {
    this.cell = cell;
  }

  add(entry) {
    if (entry.entryType !== 'longtask' && entry.entryType !== 'event') this.entries.push(entry);
    for (const observer of each(this.observers)) this.deliver(observer, entry);
  }

  deliver(observer, entry) {
    if (!observer.types.has(entry.entryType)) return;
    observer.buffer.push(entry);
    if (observer.isQueued) return;
    observer.isQueued = true;
    queueTask(
      sources.dom,
      () => {
        observer.isQueued = false;
        const entries = observer.take();
        if (entries.length > 0) callScript(observer.callback, observer.self, [listOf(entries), observer.self]);
      },
      this.cell,
    );
  }

  clear(type, name) {
    this.entries = this.entries.filter((entry) => entry.entryType !== type || (name !== undefined && entry.name !== `${name}`));
  }

  timeOf(mark) {
    if (mark === undefined) return undefined;
    if (typeof mark === 'number') return mark;
    const entry = this.entries.findLast((candidate) => candidate.entryType === 'mark' && candidate.name === `${mark}`);
    if (entry === undefined) throw new SyntaxError(`Failed to execute 'measure' on 'Performance': The mark '${mark}' does not exist.`);
    return entry.startTime;
  }
}

function observerClass(timeline) {
  return class PerformanceObserver {
    #state;
    constructor(callback) {
      if (typeof callback !== 'function')
        throw new TypeError("Failed to construct 'PerformanceObserver': parameter 1 is not of type 'Function'.");
      this.#state = {
        callback,
        self: this,
        types: new Set(),
        buffer: [],
        isQueued: false,
        take() {
          return this.buffer.splice(0);
        },
      };
    }
    observe(options = {}) {
      const { entryTypes, type, buffered = false } = options;
      if (entryTypes === undefined && type === undefined)
        throw new TypeError("Failed to execute 'observe': entryTypes or type is required.");
      const state = this.#state;
      if (entryTypes !== undefined) state.types.clear();
      for (const name of each(entryTypes ?? [type])) if (supported.includes(name)) state.types.add(name);
      timeline.observers.add(state);
      if (buffered && type !== undefined) for (const entry of each(timeline.entries)) timeline.deliver(state, entry);
    }
    disconnect() {
      timeline.observers.delete(this.#state);
      this.#state.types.clear();
      this.#state.take();
    }
    takeRecords() {
      return byTime(this.#state.take());
    }
    static get supportedEntryTypes() {
      return supported;
    }
  };
}

const timeOrigin = Date.now();

function performanceOf(timeline) {
  const performance = {
    now: () => loop.now(),
    timeOrigin,
    mark(name, { startTime = loop.now(), detail = null } = {}) {
      const entry = new PerformanceEntry(`${name}`, 'mark', startTime, 0, { detail });
      timeline.add(entry);
      return entry;
    },
    measure(name, from, to) {
      const options = typeof from === 'object' && from !== null ? from : { start: from, end: to };
      const start = timeline.timeOf(options.start) ?? 0;
      const end = timeline.timeOf(options.end) ?? (options.duration === undefined ? loop.now() : start + options.duration);
      const entry = new PerformanceEntry(`${name}`, 'measure', start, end - start, { detail: options.detail ?? null });
      timeline.add(entry);
      return entry;
    },
    clearMarks(name) {
      timeline.clear('mark', name);
    },
    clearMeasures(name) {
      timeline.clear('measure', name);
    },
    getEntries: () => listOf(timeline.entries).getEntries(),
    getEntriesByType: (type) => listOf(timeline.entries).getEntriesByType(type),
    getEntriesByName: (name, type) => listOf(timeline.entries).getEntriesByName(name, type),
    toJSON: () => ({ timeOrigin }),
  };
  define(performance, Symbol.toStringTag, 'Performance', false);
  return performance;
}

function addLongTask(start, duration) {
  for (const timeline of each(timelines.values()))
    timeline.add(new PerformanceEntry('self', 'longtask', start, duration, { attribution: [] }));
}

// `cell`: of the window's document.
function install(window, cell) {
  if (timelines.size === 0) loop.setHook(loop.kLongTaskHook, addLongTask);
  const timeline = new Timeline(cell);
  timelines.set(cell, timeline);
  require('html/agents/discarding').onDiscard(cell, () => timelines.delete(cell));
  defineAll(window, { performance: performanceOf(timeline), PerformanceObserver: observerClass(timeline), PerformanceEntry });
}

module.exports = {
  install,
  PerformanceEntry,
  add(entry, cell) {
    timelines.get(cell)?.add(entry);
  },
};

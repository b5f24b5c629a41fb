// natives: none
// The performance timeline: the buffers behind getEntries and PerformanceObserver
// (https://w3c.github.io/performance-timeline/). Entries reach observers in an immediate, so that a batch is one call.
'use strict';

const {
  codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_THIS, ERR_MISSING_ARGS },
} = require('internal/errors/coded');
const { validateFunction, validateObject } = require('internal/util/validators');
const { kMake, finish } = require('internal/perf/entries');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kSupported = Object.freeze(['dns', 'function', 'gc', 'http', 'http2', 'mark', 'measure', 'net', 'resource']);
const kObserveSingle = 'type',
  kObserveMany = 'entryTypes';

const buffers = { mark: [], measure: [], resource: [] };
let resourceLimit = 250;
let onBufferFull = () => {};
let overflow = [];
let fullEventPending = false;

const observers = new Set();
const pending = new Set();
let scheduled = false;

function byStart(a, b) {
  return a.startTime - b.startTime;
}

function filtered(entries, name, type) {
  let result = [...each(entries)];
  if (name !== undefined) result = arrayFilter.call(result, (entry) => entry.name === name);
  if (type !== undefined) result = arrayFilter.call(result, (entry) => entry.entryType === type);
  return arraySort.call(result, byStart);
}

// The entries that performance.getEntries* return.
function bufferedEntries(name, type) {
  if (type !== undefined) return filtered(buffers[type] ?? [], name, type);
  return filtered([...each(buffers.mark), ...each(buffers.measure), ...each(buffers.resource)], name);
}

function clearEntries(type, name) {
  buffers[type] = name === undefined ? [] : arrayFilter.call(buffers[type], (entry) => entry.name !== name);
}

function hasObserver(type) {
  for (const observer of each(observers)) if (stateOf(observer).types.has(type)) return true;
  return false;
}

function notify(observer) {
  pending.add(observer);
  if (scheduled) return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    const due = [...each(pending)];
    pending.clear();
    for (const observer of each(due)) dispatch(observer);
  });
}

// Puts an entry on the timeline: to observers of its kind, and into the buffer if there is one.
function enqueue(entry, buffered = true) {
  const type = entry.entryType;
  for (const observer of each(observers)) {
    const state = stateOf(observer);
    if (!state.types.has(type)) continue;
    arrayPush.call(state.queue, entry);
    notify(observer);
  }
  if (!buffered || buffers[type] === undefined) return;
  if (type === 'resource') addResource(entry);
  else arrayPush.call(buffers[type], entry);
}

// https://w3c.github.io/resource-timing/#sec-extensions-performance-interface: what does not fit waits, in case a
// listener of the event makes room.
function addResource(entry) {
  if (buffers.resource.length < resourceLimit && !fullEventPending) {
    arrayPush.call(buffers.resource, entry);
    return;
  }
  arrayPush.call(overflow, entry);
  if (fullEventPending) return;
  fullEventPending = true;
  setImmediate(drainOverflow);
}

function drainOverflow() {
  while (overflow.length > 0) {
    const before = overflow.length;
    if (buffers.resource.length >= resourceLimit) onBufferFull();
    while (overflow.length > 0 && buffers.resource.length < resourceLimit) arrayPush.call(buffers.resource, arrayShift.call(overflow));
    if (overflow.length >= before) overflow = [];
  }
  fullEventPending = false;
}

class PerformanceObserverEntryList {
  #entries;

  constructor(token, entries) {
    if (token !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this.#entries = arraySort.call([...each(entries)], byStart);
  }

  getEntries() {
    if (!(#entries in this)) throw new ERR_INVALID_THIS('PerformanceObserverEntryList');
    return [...each(this.#entries)];
  }

  getEntriesByType(type) {
    if (!(#entries in this)) throw new ERR_INVALID_THIS('PerformanceObserverEntryList');
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('type');
    return filtered(this.#entries, undefined, `${type}`);
  }

  getEntriesByName(name, type = undefined) {
    if (!(#entries in this)) throw new ERR_INVALID_THIS('PerformanceObserverEntryList');
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('name');
    return filtered(this.#entries, `${name}`, type);
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    return `PerformanceObserverEntryList ${inspect(this.#entries, {
      ...options,
      depth: options.depth == null ? null : options.depth - 1,
    })}`;
  }
}

finish(PerformanceObserverEntryList, ['getEntries', 'getEntriesByType', 'getEntriesByName'], 'PerformanceObserverEntryList');

let stateOf;

function dispatch(observer) {
  const { callback, queue } = stateOf(observer);
  const entries = arraySplice.call(queue, 0);
  if (entries.length === 0) return;
  call2(callback, observer, new PerformanceObserverEntryList(kMake, entries), observer);
}

class PerformanceObserver {
  #state;

  constructor(callback) {
    validateFunction(callback, 'callback');
    this.#state = { callback, queue: [], types: new Set(), mode: undefined };
  }

  static {
    stateOf = (observer) => observer.#state;
  }

  static get supportedEntryTypes() {
    return kSupported;
  }

  observe(options = {}) {
    validateObject(options, 'options');
    const { entryTypes, type, buffered } = options;
    const state = this.#state;
    if (entryTypes === undefined && type === undefined) {
      throw new ERR_MISSING_ARGS('options.entryTypes', 'options.type');
    }
    if (entryTypes != null && type != null) {
      throw new ERR_INVALID_ARG_VALUE('options.entryTypes', entryTypes, 'options.entryTypes can not set with options.type together');
    }
    const mode = entryTypes !== undefined ? kObserveMany : kObserveSingle;
    if (state.mode !== undefined && state.mode !== mode) {
      const { DOMException } = require('internal/errors/dom_exception');
      throw new DOMException(
        `PerformanceObserver can not change to ${mode === kObserveMany ? 'multiple' : 'single'} observation`,
        'InvalidModificationError',
      );
    }
    state.mode = mode;
    if (mode === kObserveMany) this.#observeMany(entryTypes);
    else this.#observeSingle(type, buffered);
    if (state.types.has('http')) requireLater('internal/http/perf_flag').byPerformance = true;
    if (state.types.size > 0) observers.add(this);
    else this.disconnect();
  }

  #observeMany(entryTypes) {
    if (!Array.isArray(entryTypes)) throw new ERR_INVALID_ARG_TYPE('options.entryTypes', 'string[]', entryTypes);
    this.#state.types = new Set(arrayFilter.call(entryTypes, (type) => arrayIncludes.call(kSupported, type)));
  }

  #observeSingle(type, buffered) {
    if (!arrayIncludes.call(kSupported, type)) return;
    this.#state.types.add(type);
    if (!buffered) return;
    arrayPush.call(this.#state.queue, ...each(bufferedEntries(undefined, type)));
    if (this.#state.queue.length > 0) notify(this);
  }

  disconnect() {
    observers.delete(this);
    pending.delete(this);
    this.#state.queue = [];
    this.#state.types = new Set();
    this.#state.mode = undefined;
  }

  takeRecords() {
    return arraySplice.call(this.#state.queue, 0);
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    return `PerformanceObserver ${inspect(
      {
        connected: observers.has(this),
        pending: pending.has(this),
        entryTypes: [...each(this.#state.types)],
        buffer: this.#state.queue,
      },
      { ...options, depth: options.depth == null ? null : options.depth - 1 },
    )}`;
  }
}

finish(PerformanceObserver, ['observe', 'disconnect', 'takeRecords'], 'PerformanceObserver');
Object.defineProperty(PerformanceObserver, 'supportedEntryTypes', { enumerable: true });

module.exports = {
  PerformanceObserver,
  PerformanceObserverEntryList,
  bufferedEntries,
  clearEntries,
  enqueue,
  hasObserver,
  setResourceLimit(limit) {
    resourceLimit = limit;
  },
  setBufferFull(callback) {
    onBufferFull = callback;
  },
};

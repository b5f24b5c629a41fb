// natives: none
// The timeline's entries: PerformanceEntry, PerformanceMark, PerformanceMeasure, PerformanceResourceTiming
// (https://w3c.github.io/performance-timeline/, https://w3c.github.io/user-timing/). Kept by internal/perf/timeline.
'use strict';

const {
  codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_VALUE, ERR_INVALID_THIS, ERR_MISSING_ARGS, ERR_PERFORMANCE_INVALID_TIMESTAMP },
} = require('internal/errors/coded');
const { validateNumber, validateObject } = require('internal/util/validators');
const { now } = require('internal/perf/clock');

const kMake = Symbol('make');
const kInspect = Symbol.for('nodejs.util.inspect.custom');

function toText(value) {
  if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
  return `${value}`;
}

let fieldsOf;

class PerformanceEntry {
  #fields;

  constructor(token, name, type, start, duration, detail) {
    if (token !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this.#fields = { name, type, start, duration, detail };
  }

  static {
    fieldsOf = (entry, className = 'PerformanceEntry') => {
      if (typeof entry !== 'object' || entry === null || !(#fields in entry)) throw new ERR_INVALID_THIS(className);
      return entry.#fields;
    };
  }

  get name() {
    return fieldsOf(this).name;
  }

  get entryType() {
    return fieldsOf(this).type;
  }

  get startTime() {
    return fieldsOf(this).start;
  }

  get duration() {
    return fieldsOf(this).duration;
  }

  toJSON() {
    const { name, type, start, duration } = fieldsOf(this);
    return { name, entryType: type, startTime: start, duration };
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    return `${this.constructor.name} ${inspect(this.toJSON(), {
      ...options,
      depth: options.depth == null ? null : options.depth - 1,
    })}`;
  }
}

function finish(Class, names, tag) {
  for (const name of each(names)) Object.defineProperty(Class.prototype, name, { enumerable: true });
  if (tag === undefined) return;
  Object.defineProperty(Class.prototype, Symbol.toStringTag, {
    configurable: true,
    enumerable: false,
    writable: false,
    value: tag,
  });
}

finish(PerformanceEntry, ['name', 'entryType', 'startTime', 'duration', 'toJSON']);

// Names of nodeTiming cannot be marks.
const kReserved = new Set(['nodeStart', 'v8Start', 'environment', 'loopStart', 'loopExit', 'bootstrapComplete']);

function clonedDetail(options) {
  const detail = options?.detail;
  return detail === undefined || detail === null ? null : require('internal/messaging/structured_clone').structuredClone(detail);
}

class PerformanceMark extends PerformanceEntry {
  constructor(name, options = undefined) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('name');
    name = toText(name);
    if (kReserved.has(name)) throw new ERR_INVALID_ARG_VALUE('name', name);
    if (options != null) validateObject(options, 'options');
    const start = options?.startTime ?? now();
    validateNumber(start, 'startTime');
    if (start < 0) throw new ERR_PERFORMANCE_INVALID_TIMESTAMP(start);
    super(kMake, name, 'mark', start, 0, clonedDetail(options));
  }

  get detail() {
    return fieldsOf(this, 'PerformanceMark').detail;
  }

  toJSON() {
    return { ...super.toJSON(), detail: fieldsOf(this).detail };
  }
}

finish(PerformanceMark, ['detail', 'toJSON'], 'PerformanceMark');

class PerformanceMeasure extends PerformanceEntry {
  constructor(token, name, start, duration, detail) {
    if (token !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
    super(kMake, name, 'measure', start, duration, detail);
  }

  get detail() {
    return fieldsOf(this, 'PerformanceMeasure').detail;
  }

  toJSON() {
    return { ...super.toJSON(), detail: fieldsOf(this).detail };
  }
}

finish(PerformanceMeasure, ['detail', 'toJSON'], 'PerformanceMeasure');

// 'function', 'gc' and the other kinds Node adds: a plain entry with a detail.
class PerformanceNodeEntry extends PerformanceEntry {
  constructor(...args) {
    super(...each(args));
  }

  get detail() {
    return fieldsOf(this).detail;
  }

  toJSON() {
    return { ...super.toJSON(), detail: fieldsOf(this).detail };
  }
}

function makeNodeEntry(name, type, start, duration, detail) {
  const entry = new PerformanceNodeEntry(kMake, name, type, start, duration, detail);
  Object.defineProperty(entry, 'detail', { configurable: true, enumerable: true, writable: false, value: detail });
  return entry;
}

function makeMeasure(name, start, duration, detail) {
  return new PerformanceMeasure(kMake, name, start, duration, detail);
}

module.exports = {
  PerformanceEntry,
  PerformanceMark,
  PerformanceMeasure,
  makeMeasure,
  makeNodeEntry,
  clonedDetail,
  fieldsOf,
  finish,
  kMake,
  toText,
};

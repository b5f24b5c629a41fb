// natives: none
// The `performance` object (https://w3c.github.io/hr-time/, user timing, performance timeline) with Node's additions:
// nodeTiming, timerify, eventLoopUtilization. The entries and observers are in internal/perf/*.
'use strict';

const {
  codes: {
    ERR_ILLEGAL_CONSTRUCTOR,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_THIS,
    ERR_MISSING_ARGS,
    ERR_PERFORMANCE_INVALID_TIMESTAMP,
    ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS,
  },
} = require('internal/errors/coded');
const { validateFunction, validateObject } = require('internal/util/validators');
const { EventTarget, defineEventHandler } = require('internal/events/event_target');
const { PerformanceMark, makeMeasure, clonedDetail, finish, toText } = require('internal/perf/entries');
const { now, timeOrigin } = require('internal/perf/clock');
const timeline = require('internal/perf/timeline');

const kMake = Symbol('make');
const kInspect = Symbol.for('nodejs.util.inspect.custom');

// --- user timing

// The times nodeTiming names count as marks in measure().
function timeOfMark(mark) {
  if (mark === undefined) return undefined;
  if (typeof mark === 'number') {
    if (mark < 0) throw new ERR_PERFORMANCE_INVALID_TIMESTAMP(mark);
    return mark;
  }
  const name = toText(mark);
  const { nodeTiming } = require('internal/perf/node_timing');
  if (nodeTiming.isMilestone(name)) return nodeTiming[name];
  const marks = timeline.bufferedEntries(name, 'mark');
  if (marks.length === 0) {
    const { DOMException } = require('internal/errors/dom_exception');
    throw new DOMException(`The "${name}" performance mark has not been set`, 'SyntaxError');
  }
  return marks[marks.length - 1].startTime;
}

function measureEnd(options, endMark) {
  if (endMark !== undefined) return timeOfMark(endMark);
  if (options?.end !== undefined) return timeOfMark(options.end);
  if (options?.start !== undefined && options?.duration !== undefined) {
    return timeOfMark(options.start) + timeOfMark(options.duration);
  }
  return now();
}

function measureStart(startOrOptions, options, end) {
  if (options?.start !== undefined) return timeOfMark(options.start);
  if (options?.duration !== undefined && options?.end !== undefined) return end - timeOfMark(options.duration);
  if (typeof startOrOptions === 'string') return timeOfMark(startOrOptions);
  return 0;
}

function checkMeasureOptions(options, endMark) {
  if (arrayEvery.call(['start', 'end', 'duration', 'detail'], (key) => options[key] === undefined)) return;
  if (endMark !== undefined) throw new ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS('endMark must not be specified');
  if (options.start === undefined && options.end === undefined && options.duration !== undefined) {
    throw new ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS('One of options.start or options.end is required');
  }
  if (options.start !== undefined && options.end !== undefined && options.duration !== undefined) {
    throw new ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS('Must not have options.start, options.end, and options.duration specified');
  }
}

let isPerformance;

function requirePerformance(value) {
  if (!isPerformance(value)) throw new ERR_INVALID_THIS('Performance');
}

// As WebIDL's conversion to a number says it.
function notANumber(maxSize) {
  const kind = typeof maxSize === 'bigint' ? 'BigInt' : 'Symbol';
  return Object.assign(new TypeError(`maxSize is a ${kind} and cannot be converted to a number.`), { code: 'ERR_INVALID_ARG_TYPE' });
}

class Performance extends EventTarget {
  #brand = true;

  constructor(token) {
    if (token !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
    super();
  }

  static {
    isPerformance = (value) => typeof value === 'object' && value !== null && #brand in value;
  }

  clearMarks(name = undefined) {
    requirePerformance(this);
    timeline.clearEntries('mark', name === undefined ? undefined : toText(name));
  }

  clearMeasures(name = undefined) {
    requirePerformance(this);
    timeline.clearEntries('measure', name === undefined ? undefined : toText(name));
  }

  clearResourceTimings(name = undefined) {
    requirePerformance(this);
    timeline.clearEntries('resource', name === undefined ? undefined : toText(name));
  }

  getEntries() {
    requirePerformance(this);
    return timeline.bufferedEntries();
  }

  getEntriesByName(name, type = undefined) {
    requirePerformance(this);
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('name');
    return timeline.bufferedEntries(toText(name), type === undefined ? undefined : toText(type));
  }

  getEntriesByType(type) {
    requirePerformance(this);
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('type');
    return timeline.bufferedEntries(undefined, toText(type));
  }

  mark(name, options = {}) {
    requirePerformance(this);
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('name');
    const mark = new PerformanceMark(name, options);
    timeline.enqueue(mark);
    return mark;
  }

  measure(name, startOrOptions = {}, endMark = undefined) {
    requirePerformance(this);
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('name');
    const options = startOrOptions !== null && typeof startOrOptions === 'object' ? startOrOptions : undefined;
    if (options !== undefined) checkMeasureOptions(options, endMark);
    const end = measureEnd(options, endMark);
    const start = measureStart(startOrOptions, options, end);
    const measure = makeMeasure(toText(name), start, end - start, clonedDetail(options));
    timeline.enqueue(measure);
    return measure;
  }

  now() {
    requirePerformance(this);
    return now();
  }

  setResourceTimingBufferSize(maxSize) {
    requirePerformance(this);
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('maxSize');
    if (typeof maxSize === 'bigint' || typeof maxSize === 'symbol') throw notANumber(maxSize);
    timeline.setResourceLimit(maxSize >>> 0);
  }

  get timeOrigin() {
    requirePerformance(this);
    return timeOrigin;
  }

  toJSON() {
    requirePerformance(this);
    return {
      nodeTiming: this.nodeTiming,
      timeOrigin: this.timeOrigin,
      eventLoopUtilization: this.eventLoopUtilization(),
    };
  }

  eventLoopUtilization(first, second) {
    return require('internal/perf/event_loop').eventLoopUtilization(first, second);
  }

  get nodeTiming() {
    return require('internal/perf/node_timing').nodeTiming;
  }

  markResourceTiming(timing, requestedUrl, initiatorType, global, cacheMode, bodyInfo, responseStatus, deliveryType) {
    if (cacheMode !== '' && cacheMode !== 'local') {
      throw new ERR_INVALID_ARG_TYPE('cacheMode', ['', 'local'], cacheMode);
    }
    const { makeResourceTiming } = require('internal/perf/resource_timing');
    const entry = makeResourceTiming(requestedUrl, initiatorType, timing, cacheMode, responseStatus, deliveryType);
    timeline.enqueue(entry);
    return entry;
  }

  timerify(fn, options = {}) {
    return timerify(fn, options);
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    return `Performance ${inspect(
      { nodeTiming: this.nodeTiming, timeOrigin: this.timeOrigin },
      {
        ...options,
        depth: options.depth == null ? null : options.depth - 1,
      },
    )}`;
  }
}

finish(
  Performance,
  [
    'clearMarks',
    'clearMeasures',
    'clearResourceTimings',
    'getEntries',
    'getEntriesByName',
    'getEntriesByType',
    'mark',
    'measure',
    'now',
    'setResourceTimingBufferSize',
    'timeOrigin',
    'toJSON',
  ],
  'Performance',
);
defineEventHandler(Performance.prototype, 'resourcetimingbufferfull');

// --- timerify

function recordCall(fn, args, start, histogram) {
  const duration = now() - start;
  if (histogram !== undefined) histogram.record(Math.max(1, Math.ceil(duration * 1e6)));
  if (!timeline.hasObserver('function')) return;
  const { makeNodeEntry } = require('internal/perf/entries');
  const entry = makeNodeEntry(fn.name, 'function', start, duration, args);
  for (let i = 0; i < args.length; i++) entry[i] = args[i];
  timeline.enqueue(entry, false);
}

function timerify(fn, options = {}) {
  validateFunction(fn, 'fn');
  validateObject(options, 'options');
  const { histogram } = options;
  if (histogram !== undefined && typeof histogram?.record !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('options.histogram', 'RecordableHistogram', histogram);
  }

  function timerified(...args) {
    const start = now();
    const result = new.target ? Reflect.construct(fn, args, fn) : Reflect.apply(fn, this, args);
    if (!new.target && typeof result?.finally === 'function') {
      return result.finally(() => recordCall(fn, args, start, histogram)); // the program's: what its function returned
    }
    recordCall(fn, args, start, histogram);
    return result;
  }

  Object.defineProperties(timerified, {
    length: { configurable: false, enumerable: true, value: fn.length },
    name: { configurable: false, enumerable: true, value: `timerified ${fn.name}` },
  });
  return timerified;
}

const performance = new Performance(kMake);

timeline.setBufferFull(() => {
  const { Event } = require('internal/events/event');
  performance.dispatchEvent(new Event('resourcetimingbufferfull'));
});

module.exports = { Performance, performance, timerify };

// natives: perf
// performance.nodeTiming: when the process reached its milestones, from the runtime's own marks.
'use strict';

const binding = native('perf');
const { now } = require('internal/perf/clock');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kMilestones = ['nodeStart', 'v8Start', 'environment', 'loopStart', 'loopExit', 'bootstrapComplete'];

class PerformanceNodeTiming {
  constructor() {
    const get = (name, read) => Object.defineProperty(this, name, { configurable: true, enumerable: true, get: read });
    const value = (name, fixed) => Object.defineProperty(this, name, { configurable: true, enumerable: true, value: fixed });
    value('name', 'node');
    value('entryType', 'node');
    value('startTime', 0);
    get('duration', now);
    for (const name of each(kMilestones)) get(name, () => binding.milestone(name));
    get('idleTime', () => binding.idleTime());
    get('uvMetricsInfo', () => {
      const { loopCount } = binding.metrics();
      return { loopCount, events: binding.metrics().events, eventsWaiting: 0 };
    });
    Object.defineProperty(this, 'isMilestone', { value: (name) => arrayIncludes.call(kMilestones, name) });
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    return `PerformanceNodeTiming ${inspect(this.toJSON(), {
      ...options,
      depth: options.depth == null ? null : options.depth - 1,
    })}`;
  }

  toJSON() {
    const names = [
      'name',
      'entryType',
      'startTime',
      'duration',
      'nodeStart',
      'v8Start',
      'bootstrapComplete',
      'environment',
      'loopStart',
      'loopExit',
      'idleTime',
    ];
    return Object.fromEntries(each(arrayMap.call(names, (name) => [name, this[name]])));
  }
}

const { PerformanceEntry } = require('internal/perf/entries');
Object.setPrototypeOf(PerformanceNodeTiming.prototype, PerformanceEntry.prototype);

module.exports = { nodeTiming: new PerformanceNodeTiming() };

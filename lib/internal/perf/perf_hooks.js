// natives: none
// node:perf_hooks: the performance API's classes, histograms and the event loop's measurements.
'use strict';

const { addLazy } = require('internal/util/lazy_property');

const lazy = (name, id) => addLazy(exports, [name], () => require(id)[name], true);
// The very functions that `performance` has.
const method = (name) => addLazy(exports, [name], () => require('internal/perf/performance').performance[name], true);

lazy('Performance', 'internal/perf/performance');
lazy('PerformanceEntry', 'internal/perf/entries');
lazy('PerformanceMark', 'internal/perf/entries');
lazy('PerformanceMeasure', 'internal/perf/entries');
lazy('PerformanceObserver', 'internal/perf/timeline');
lazy('PerformanceObserverEntryList', 'internal/perf/timeline');
lazy('PerformanceResourceTiming', 'internal/perf/resource_timing');
lazy('monitorEventLoopDelay', 'internal/perf/event_loop');
method('eventLoopUtilization');
method('timerify');
lazy('createHistogram', 'internal/perf/histogram');
lazy('importHistogram', 'internal/perf/histogram');
lazy('createSlidingWindowHistogram', 'internal/perf/sliding_window');
lazy('performance', 'internal/perf/performance');

exports.constants = Object.freeze({
  NODE_PERFORMANCE_GC_MAJOR: 4,
  NODE_PERFORMANCE_GC_MINOR: 1,
  NODE_PERFORMANCE_GC_MINOR_MARK_SWEEP: 2,
  NODE_PERFORMANCE_GC_INCREMENTAL: 8,
  NODE_PERFORMANCE_GC_WEAKCB: 16,
  NODE_PERFORMANCE_GC_FLAGS_NO: 0,
  NODE_PERFORMANCE_GC_FLAGS_CONSTRUCT_RETAINED: 2,
  NODE_PERFORMANCE_GC_FLAGS_FORCED: 4,
  NODE_PERFORMANCE_GC_FLAGS_SYNCHRONOUS_PHANTOM_PROCESSING: 8,
  NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE: 16,
  NODE_PERFORMANCE_GC_FLAGS_ALL_EXTERNAL_MEMORY: 32,
  NODE_PERFORMANCE_GC_FLAGS_SCHEDULE_IDLE: 64,
});

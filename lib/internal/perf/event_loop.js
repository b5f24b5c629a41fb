// natives: perf
// eventLoopUtilization, from the loop's own counters, and monitorEventLoopDelay, from a timer of the resolution that was asked for.
'use strict';

const binding = native('perf');
const { now } = require('internal/perf/clock');
const { validateInteger, validateObject } = require('internal/util/validators');

function utilization(idle, active) {
  return { idle, active, utilization: idle + active === 0 ? 0 : active / (idle + active) };
}

// Since the loop began; or since `first`; or between `second` and `first`.
function eventLoopUtilization(first, second) {
  const start = binding.milestone('loopStart');
  if (start <= 0) return { idle: 0, active: 0, utilization: 0 };
  const idle = binding.idleTime();
  return difference(idle, now() - start - idle, first, second);
}

function difference(idle, active, first, second) {
  if (second) return utilization(first.idle - second.idle, first.active - second.active);
  if (!first) return utilization(idle, active);
  return utilization(idle - first.idle, active - first.active);
}

function monitorEventLoopDelay(options = {}) {
  validateObject(options, 'options');
  const { resolution = 10 } = options;
  validateInteger(resolution, 'options.resolution', 1);
  const { makeDelayHistogram } = require('internal/perf/histogram');
  return makeDelayHistogram(binding, resolution);
}

module.exports = { difference, eventLoopUtilization, monitorEventLoopDelay };

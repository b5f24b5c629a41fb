// skip-asan
// A program that works is not taken for one that rests, and its memory is not given back to be taken again: once its heap has its size, it
// meets hardly any page faults, however often the engine collects.
'use strict';
const assert = require('node:assert');

const kWarmUp = 1000, kCounted = 1500;  // ms: many pauses of the look for rest, many collections
const faults = () => process.resourceUsage().minorPageFault;
const begin = performance.now();
let first;

(function again() {
  const passed = performance.now() - begin;
  if (passed > kWarmUp) first ??= faults();
  if (passed < kWarmUp + kCounted) return setImmediate(again);
  const met = faults() - first;
  assert(met < 5000, `${met} page faults`);
})();

// skip-asan
// A program that works is not taken for an idle one, and its memory is not given back to be taken again: once its heap has its size, it
// meets hardly any page faults, however often the engine collects. A program that another one keeps from the processor for long may be taken
// for idle once: one quiet stretch of four is enough.
'use strict';
const assert = require('node:assert');

const kWarmUp = 1000, kCounted = 1500;  // ms: many pauses of the look for rest, many collections
const faults = () => process.resourceUsage().minorPageFault;
let begin = performance.now();
let first;
let stretches = 0;

(function again() {
  const passed = performance.now() - begin;
  if (passed > kWarmUp) first ??= faults();
  if (passed < kWarmUp + kCounted) return setImmediate(again);
  const met = faults() - first;
  if (met < 5000) return;
  assert(++stretches < 4, `${met} page faults`);
  begin = performance.now();
  first = undefined;
  setImmediate(again);
})();

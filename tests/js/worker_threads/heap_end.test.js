// skip-asan
// A worker that starts after another has ended takes the memory that the other's heap left: its pages are not given back to the
// kernel one block at a time and faulted in again. The least of twenty, since others on the machine may take memory in between.
'use strict';
const assert = require('node:assert');
const { once } = require('node:events');
const { Worker } = require('node:worker_threads');

const kWarm = 5, kStarts = 20, kMost = 170;  // 76 is usual; 255 when each block's pages are given back first

(async () => {
  let least = Infinity;
  for (let i = 0; i < kWarm + kStarts; i++) {
    const before = process.resourceUsage().minorPageFault;
    await once(new Worker('', { eval: true }), 'exit');
    if (i >= kWarm) least = Math.min(least, process.resourceUsage().minorPageFault - before);
  }
  assert.ok(least < kMost, `${least} page faults for the start and end of a worker`);
})();

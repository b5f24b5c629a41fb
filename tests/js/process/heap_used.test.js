// S5: process.memoryUsage().heapUsed follows the objects that live: it is there at the start, never falls while live objects are made,
// and falls when they are gone and collected. Array buffers count on their own.
// flags: --expose-gc
'use strict';
const assert = require('node:assert');

let isDone = false;
process.on('exit', () => assert.ok(isDone));
const used = () => process.memoryUsage().heapUsed;
assert.ok(used() > 100_000, `at the start ${used()}`);

gc();
const before = used();
const kept = { live: [] };
let last = before;

// In calls of their own: a compilation of a long loop, until the engine takes it, holds the values that the loop had.
function makeThousand(from) {
  for (let i = from; i < from + 1000; i++) kept.live.push({ index: i, text: `object ${i}` });
}
for (let i = 0; i < 100_000; i += 1000) {
  makeThousand(i);
  const now = used();
  // A collection in between may find that some of what was counted as allocated was never used.
  assert.ok(now >= last * 0.9, `${now} after ${last} at ${i}`);
  last = Math.max(last, now);
}
const full = used();
assert.ok(full - before > 100_000 * 40, `${full - before} for 100,000 objects`);

const { heapTotal } = process.memoryUsage();
assert.ok(heapTotal >= full);
kept.live = null;

// In another turn: no frame of this one is left whose stack the collector would read for references.
setImmediate(() => {
  gc();
  assert.ok(used() < before + (full - before) / 2, `${used()} after the collection, ${full} before`);

  const { arrayBuffers } = process.memoryUsage();
  const bytes = new ArrayBuffer(16 << 20);
  const after = process.memoryUsage();
  assert.ok(after.arrayBuffers - arrayBuffers >= bytes.byteLength);
  assert.ok(after.external >= after.arrayBuffers);
  assert.ok(after.heapUsed < full + (8 << 20));
  isDone = true;
});

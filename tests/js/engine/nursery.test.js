// A heap whose objects die young is collected long before 32 MB of garbage; one that grows is not collected more often for it.
'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');

const MB = 1 << 20;

// How much a program with no live objects of its own had each time before a collection took it away.
const used = () => process.memoryUsage().heapUsed;
const peaks = [];
let last = used();
let garbage;
for (let i = 0; i < 2_000_000; i++) {
  garbage = [i, { i }];
  if (i % 500) continue;
  const now = used();
  if (now < last) peaks.push(last);
  last = now;
}
assert.ok(garbage && peaks.length >= 3, `${peaks.length} collections`);
// The machine may let the collector wait, but not each time.
assert.ok(Math.min(...peaks) < 16 * MB, `collected at ${peaks.map((peak) => Math.round(peak / MB))} MB`);

// All survives: the engine logs a line for each collection.
const program = 'const live = []; for (let i = 0; i < 1e6; i++) live.push([i]);';
const { stderr, status } = spawnSync(process.execPath, ['-e', program], { env: { ...process.env, JSC_logGC: '1' }, encoding: 'utf8', maxBuffer: 1 << 28 });
assert.strictEqual(status, 0, stderr);
const collections = stderr.match(/ END\]/g)?.length;
assert.ok(collections >= 1 && collections <= 6, `${collections} collections for 1,000,000 arrays that live`);

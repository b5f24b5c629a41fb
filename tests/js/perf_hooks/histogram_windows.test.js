// Histograms that forget, and histograms as bytes.
'use strict';
const assert = require('node:assert');
const { createHistogram, createSlidingWindowHistogram, importHistogram } = require('node:perf_hooks');

const window = createSlidingWindowHistogram({ chunks: 2, recordsPerChunk: 3 });
for (let i = 1; i <= 10; i++) window.record(i);
const { count, min, max, mean } = window.snapshot();
assert.deepStrictEqual({ count, min, max, mean }, { count: 4, min: 7, max: 10, mean: 8.5 });
window.reset();
assert.strictEqual(window.snapshot().count, 0);
assert.throws(() => window.record(0), { code: 'ERR_OUT_OF_RANGE' });
assert.throws(() => window.record('1'), { code: 'ERR_INVALID_ARG_TYPE' });
assert.throws(() => new window.constructor(), { code: 'ERR_ILLEGAL_CONSTRUCTOR' });
assert.throws(() => createSlidingWindowHistogram({ chunks: 1 }), { code: 'ERR_INVALID_ARG_VALUE' });
assert.throws(() => createSlidingWindowHistogram({ chunks: 0, recordsPerChunk: 1 }), { code: 'ERR_OUT_OF_RANGE' });

// The bytes are those that Node writes, so either may read the other's.
const histogram = createHistogram();
for (const value of [100000, 5, 5, 5, 70000]) histogram.record(value);
const hex = 'ab00010101021b001fffffffffffff030304050505061a000186a0070008fb3ff00000000000000919b0000a860503191c40011901d501';
assert.strictEqual(Buffer.from(histogram.export()).toString('hex'), hex);
const copy = importHistogram(Buffer.from(hex, 'hex'));
for (const name of ['count', 'min', 'max', 'mean', 'stddev', 'exceeds']) assert.strictEqual(copy[name], histogram[name], name);
copy.record(7);
assert.strictEqual(copy.count, 6);
const coarse = createHistogram({ lowest: 5, highest: 1000, figures: 2 });
coarse.record(7);
coarse.record(900);
assert.deepStrictEqual([...importHistogram(coarse.export()).percentiles], [[0, 4], [50, 4], [75, 900], [100, 900]]);
for (let i = 0; i < hex.length / 2; i++) {
  assert.throws(() => importHistogram(Buffer.from(hex, 'hex').subarray(0, i)), { code: 'ERR_INVALID_ARG_VALUE' });
}
assert.throws(() => importHistogram('x'), { code: 'ERR_INVALID_ARG_TYPE' });

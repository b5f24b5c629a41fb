// The figures of node:v8 that collectors of metrics and test runners ask for.
'use strict';
const assert = require('node:assert');
const v8 = require('node:v8');

const spaces = v8.getHeapSpaceStatistics();
const old = spaces.find((space) => space.space_name === 'old_space');
assert.deepStrictEqual(Object.keys(old), ['space_name', 'space_size', 'space_used_size', 'space_available_size', 'physical_space_size']);
assert.ok(spaces.every((space) => typeof space.space_name === 'string' && space.space_used_size <= space.space_size));
const used = spaces.reduce((sum, space) => sum + space.space_used_size, 0);
assert.ok(used > 100_000 && used <= v8.getHeapStatistics().heap_size_limit, String(used));
assert.ok(spaces.some((space) => space.space_name === 'new_space'));

for (const value of Object.values(v8.getHeapCodeStatistics())) assert.strictEqual(typeof value, 'number');
assert.strictEqual(v8.getCppHeapStatistics().detail_level, 'detailed');
assert.throws(() => v8.getCppHeapStatistics('other'), { code: 'ERR_INVALID_ARG_VALUE' });

const tag = v8.cachedDataVersionTag();
assert.ok(Number.isInteger(tag) && tag > 0 && tag <= 0xffffffff);
assert.strictEqual(v8.cachedDataVersionTag(), tag);

assert.strictEqual(v8.isStringOneByteRepresentation('caf\u00e9'), true);
assert.strictEqual(v8.isStringOneByteRepresentation('\u4f60'), false);
assert.throws(() => v8.isStringOneByteRepresentation(1), { code: 'ERR_INVALID_ARG_TYPE' });

// No coverage was asked for: nothing is written, and nothing thrown.
assert.strictEqual(v8.takeCoverage(), undefined);
assert.strictEqual(v8.stopCoverage(), undefined);

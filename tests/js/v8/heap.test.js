// What programs ask node:v8 for.
'use strict';
const assert = require('node:assert');
const v8 = require('node:v8');

const { used_heap_size: used, total_heap_size: total, heap_size_limit: limit } = v8.getHeapStatistics();
assert(used > 0 && total >= used && limit > total);
assert.strictEqual(v8.startupSnapshot.isBuildingSnapshot(), false);
assert.throws(() => v8.startupSnapshot.addSerializeCallback(() => {}), { code: 'ERR_NOT_BUILDING_SNAPSHOT' });
assert.throws(() => v8.setFlagsFromString(1), { code: 'ERR_INVALID_ARG_TYPE' });
assert.strictEqual(v8.setFlagsFromString('--max-old-space-size=100'), undefined);

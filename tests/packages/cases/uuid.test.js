// uuid: an ES module, required and imported; random, time-based and named ids.
'use strict';
const assert = require('node:assert');
const uuid = require('uuid');

const made = new Set(Array.from({ length: 1000 }, () => uuid.v4()));
assert.strictEqual(made.size, 1000);
for (const id of made) assert(uuid.validate(id) && uuid.version(id) === 4);
assert.strictEqual(uuid.v5('hello.example.com', uuid.v5.DNS), 'fdda765f-fc57-5604-a269-52a7df8164ec');
assert.strictEqual(uuid.v3('hello.example.com', uuid.v3.DNS), '9125a8dc-52ee-365b-a5aa-81b0b3681cf6');
assert.strictEqual(uuid.version(uuid.v7()), 7);
assert.strictEqual(uuid.stringify(uuid.parse(uuid.MAX)), uuid.MAX);
assert.throws(() => uuid.parse('nonsense'), TypeError);

import('uuid').then(({ v4 }) => assert.strictEqual(v4, uuid.v4));

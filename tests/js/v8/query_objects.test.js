// v8.queryObjects: how many objects of a class live, and what they are.
'use strict';

const assert = require('node:assert');
const { queryObjects } = require('node:v8');

class Kept {
  field = 1;
}
class Child extends Kept {}
assert.strictEqual(queryObjects(Child), 0);
const kept = [new Kept(), new Child()];
assert.deepStrictEqual(queryObjects(Child, { format: 'summary' }), ['Child { field: 1 }']);
// A child's prototype has the class among its prototypes too.
assert.strictEqual(queryObjects(Kept), 3);
assert.strictEqual(queryObjects(Kept, { format: 'count' }), 3);
assert.strictEqual(queryObjects(() => {}), 0);
// Proxies are not looked behind: a trap of the program would run.
new Proxy(kept[0], { getPrototypeOf: () => assert.fail('a trap ran') });
assert.strictEqual(queryObjects(Child), 1);
for (const wrong of [undefined, 1, {}, 'x']) assert.throws(() => queryObjects(wrong), { code: 'ERR_INVALID_ARG_TYPE' });
assert.throws(() => queryObjects(Kept, { format: 'list' }), { code: 'ERR_INVALID_ARG_VALUE' });

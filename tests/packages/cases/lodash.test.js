// lodash: require, a method of its own file, and import.
'use strict';
const assert = require('node:assert');
const _ = require('lodash');
const chunk = require('lodash/chunk');

assert.deepStrictEqual(_.chunk([1, 2, 3, 4, 5], 2), chunk([1, 2, 3, 4, 5], 2));
assert.deepStrictEqual(_.groupBy(['one', 'two', 'three'], 'length'), { 3: ['one', 'two'], 5: ['three'] });
assert.strictEqual(_.template('hello <%= user %>!')({ user: 'fred' }), 'hello fred!');
const deep = { a: [{ b: new Map([[1, { c: new Date(5) }]]) }], buffer: Buffer.from('x') };
const copy = _.cloneDeep(deep);
assert(_.isEqual(copy, deep) && copy.a[0].b.get(1) !== deep.a[0].b.get(1));
assert(_.isBuffer(copy.buffer));
assert.strictEqual(_.camelCase('--foo-bar--'), 'fooBar');
assert.deepStrictEqual(_.sortBy([{ n: 3 }, { n: 1 }], 'n'), [{ n: 1 }, { n: 3 }]);

let calls = 0;
const debounced = _.debounce(() => { calls++; }, 5);
debounced();
debounced();
const later = _.debounce(() => assert.strictEqual(calls, 1), 50);
later();

import('lodash').then(({ default: imported }) => assert.strictEqual(imported, _));

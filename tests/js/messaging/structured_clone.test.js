// S28: values cross as structured clones; what cannot be cloned is a DataCloneError.
'use strict';
const assert = require('node:assert');

const original = {
  number: 1.5, negativeZero: -0, big: -(2n ** 70n), text: '✓', nothing: null, missing: undefined, yes: true,
  date: new Date(5), pattern: /a+/giu, map: new Map([[{ k: 1 }, new Set([1, 'two'])]]), list: [1, , 3],
  bytes: new Uint8Array([1, 2, 3]).subarray(1), view: new DataView(new ArrayBuffer(4), 1, 2),
  boxed: [Object(1), Object('s'), Object(true), Object(5n)], error: new RangeError('bad', { cause: 'why' }), 7: 'index',
};
original.self = original;
const copy = structuredClone(original);
assert.notStrictEqual(copy, original);
assert.strictEqual(copy.self, copy);
delete copy.self;
const { self, ...rest } = original;
assert.strictEqual(self, original);
assert.ok(Object.is(copy.negativeZero, -0));
assert.strictEqual(copy.error.stack, original.error.stack);
assert.deepStrictEqual(copy, rest);
assert.strictEqual(1 in copy.list, false);
copy.map.clear();
assert.strictEqual(original.map.size, 1);

const buffer = new ArrayBuffer(8);
const moved = structuredClone({ buffer, view: new Uint8Array(buffer, 2) }, { transfer: [buffer] });
assert.strictEqual(buffer.byteLength, 0);
assert.strictEqual(moved.view.buffer, moved.buffer);
const shared = new SharedArrayBuffer(4);
new Int32Array(structuredClone(shared))[0] = 9;
assert.strictEqual(new Int32Array(shared)[0], 9);

for (const value of [() => {}, Symbol('s'), Promise.resolve(), new WeakMap(), new Proxy({}, {}), { deep: [function f() {}] }]) {
  assert.throws(() => structuredClone(value), { name: 'DataCloneError', code: 25 });
}
assert.throws(() => structuredClone(1, { transfer: [{}] }), { name: 'DataCloneError' });
assert.throws(() => structuredClone(buffer), { name: 'DataCloneError' });
assert.throws(() => structuredClone({ get boom() { throw new TypeError('getter'); } }), /getter/);
let nest = [];
for (let i = 0; i < 1e6; i++) nest = [nest];
assert.throws(() => structuredClone(nest), RangeError);

const exception = structuredClone(new DOMException('m', 'AbortError'));
assert.ok(exception instanceof DOMException);
assert.strictEqual(exception.code, 20);

// Views that their buffer has shrunk away from.
const shrunk = new ArrayBuffer(8, { maxByteLength: 16 });
const outside = [new Uint8Array(shrunk, 4, 4), new DataView(shrunk, 4, 4)];
shrunk.resize(2);
for (const view of outside) {
  assert.throws(() => structuredClone(view), { name: 'DataCloneError' });
  assert.throws(() => structuredClone(view, { transfer: [shrunk] }), { name: 'DataCloneError' });
}
assert.strictEqual(shrunk.byteLength, 2);

// More objects than are looked through one by one, each referred to again; and a clone begun by a getter within another.
const many = Array.from({ length: 40 }, (_, i) => ({ i }));
const twice = structuredClone({ many, again: many.toReversed(), get inner() { return structuredClone(many); } });
assert.deepStrictEqual(twice.again, twice.many.toReversed());
assert.ok(twice.again.every((object, i) => object === twice.many[39 - i]));
assert.deepStrictEqual(twice.inner, many);
const long = { text: 'x'.repeat(200_000), after: 1 };
assert.deepStrictEqual(structuredClone(long), long);

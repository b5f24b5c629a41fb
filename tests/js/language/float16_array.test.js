// Float16Array: elements, constructors, methods, and what takes an ArrayBufferView takes it.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const util = require('node:util');
const v8 = require('node:v8');
const vm = require('node:vm');

const array = new Float16Array([1.5, 65519, 65520, -0, NaN, 2 ** -25, 2 ** -24, 1 + 2 ** -11, 1 + 3 * 2 ** -11]);
const values = [1.5, 65504, Infinity, -0, NaN, 0, 2 ** -24, 1, 1 + 2 ** -9];
assert.deepStrictEqual([...array], values);
assert.deepStrictEqual([...new Uint16Array(array.buffer)], [0x3e00, 0x7bff, 0x7c00, 0x8000, 0x7e00, 0, 1, 0x3c00, 0x3c02]);

// Every half-precision number survives the way through an element, and DataView agrees.
const all = new Uint16Array(65536).map((_, i) => i);
const halves = new Float16Array(all.buffer);
const view = new DataView(all.buffer);
const copy = new Float16Array(65536);
for (let i = 0; i < 65536; i++) {
  const value = halves[i];
  assert.ok(Object.is(value, view.getFloat16(i * 2, true)));
  copy[i] = value;
  if (!Number.isNaN(value)) assert.ok(Object.is(copy[i], value) && Math.f16round(value) === value);
}

// Properties.
assert.strictEqual(array.length, 9);
assert.strictEqual(array.byteLength, 18);
assert.strictEqual(Float16Array.BYTES_PER_ELEMENT, 2);
assert.strictEqual(Object.prototype.toString.call(array), '[object Float16Array]');
assert.strictEqual(Object.getPrototypeOf(Float16Array), Object.getPrototypeOf(Uint8Array));
assert.deepStrictEqual(Object.keys(new Float16Array(2)), ['0', '1']);
assert.deepStrictEqual(Object.getOwnPropertyDescriptor(array, 0), { value: 1.5, writable: true, enumerable: true, configurable: true });
for (const name of ['9', '-0', '1.5', 'NaN', '-1']) {
  array[name] = 1;
  assert.ok(!(name in array) && array[name] === undefined);
}
assert.strictEqual(Reflect.deleteProperty(array, 0), false);
assert.strictEqual(Reflect.defineProperty(array, 0, { value: 2, enumerable: false }), false);
assert.throws(() => Object.freeze(new Float16Array(1)), TypeError);
assert.strictEqual(Reflect.set(Object.create(array), '0', 7), true);
assert.strictEqual(array[0], 1.5);
array[0] = { valueOf: () => 2.5 };
assert.strictEqual(array[0], 2.5);
assert.throws(() => { array[0] = 1n; }, TypeError);
array[0] = 1.5;

// Constructors.
const buffer = new ArrayBuffer(8, { maxByteLength: 16 });
const following = new Float16Array(buffer, 2);
assert.strictEqual(following.length, 3);
buffer.resize(16);
assert.strictEqual(following.length, 7);
buffer.resize(0);
assert.strictEqual(following.length, 0);
assert.strictEqual(following[0], undefined);
assert.throws(() => following.map((x) => x), TypeError);
assert.throws(() => new Float16Array(new ArrayBuffer(3)), RangeError);
assert.throws(() => new Float16Array(new ArrayBuffer(4), 1), RangeError);
assert.throws(() => new Float16Array(new ArrayBuffer(4), 0, 3), RangeError);
assert.throws(() => new Float16Array(-1), RangeError);
assert.throws(() => Float16Array(1), TypeError);
assert.deepStrictEqual([...new Float16Array(new Set([1, 2]))], [1, 2]);
assert.deepStrictEqual([...new Float16Array({ length: 2, 1: 3 })], [NaN, 3]);
assert.deepStrictEqual([...Float16Array.from([1, 2], (x) => x * 2)], [2, 4]);
assert.deepStrictEqual([...Float16Array.of(1, 2)], [1, 2]);
class Mine extends Float16Array {}
assert.ok(new Mine(1).map((x) => x + 1) instanceof Mine);
const detached = new Float16Array(4);
structuredClone(detached.buffer, { transfer: [detached.buffer] });
assert.strictEqual(detached.length, 0);
assert.throws(() => detached.at(0), TypeError);

// Methods, beside those of Float32Array.
const numbers = [3, -1, 0.5, -0, NaN, 2, 0];
const half = new Float16Array(numbers);
const single = new Float32Array(numbers);
for (const [name, ...args] of [
  ['at', -1], ['copyWithin', 0, 3], ['every', (x) => x < 9], ['fill', 7, 1, -1], ['filter', (x) => x > 0], ['find', (x) => x < 0],
  ['findIndex', (x) => x < 0], ['findLast', (x) => x > 0], ['findLastIndex', (x) => x > 0], ['includes', NaN], ['indexOf', 2],
  ['join', '|'], ['lastIndexOf', 0], ['map', (x) => x * 2], ['reduce', (a, b) => a * 2 + b], ['reduceRight', (a, b) => a * 2 + b, 1],
  ['reverse'], ['slice', 1, -1], ['some', (x) => x < 0], ['sort'], ['sort', (a, b) => b - a], ['subarray', 2, 4], ['toReversed'],
  ['toSorted'], ['toString'], ['toLocaleString'], ['with', -2, 9], ['entries'], ['keys'], ['values'],
]) {
  const run = (array) => {
    const found = array[name](...args);
    return typeof found === 'object' && Symbol.iterator in found ? [...found] : found;
  };
  assert.deepStrictEqual(run(new Float16Array(half)), run(new Float32Array(single)), name);
  assert.strictEqual(Float16Array.prototype[name].length, Float32Array.prototype[name].length, name);
  assert.strictEqual(Float16Array.prototype[name].name, name);
}
const target = new Float16Array(4);
target.set([1, 2], 1);
target.set(target.subarray(0, 3), 1);
assert.deepStrictEqual([...target], [0, 0, 1, 2]);
assert.throws(() => target.set([1], 4), RangeError);

// The rest of the runtime.
assert.ok(ArrayBuffer.isView(half) && util.types.isTypedArray(half) && util.types.isFloat16Array(half) && !util.types.isDataView(half));
assert.strictEqual(util.inspect(new Float16Array([1.5])), 'Float16Array(1) [ 1.5 ]');
assert.deepStrictEqual(structuredClone(half), half);
assert.deepStrictEqual(v8.deserialize(v8.serialize(half)), half);
assert.notDeepStrictEqual(new Float16Array([1]), new Uint16Array([1]));
assert.strictEqual(Buffer.copyBytesFrom(new Float16Array([1])).toString('hex'), '003c');
assert.deepStrictEqual([...Buffer.from(new Float16Array([1, 2]))], [1, 2]);
const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'half-')), 'f');
fs.writeFileSync(file, new Float16Array([1, -2]));
assert.strictEqual(fs.readFileSync(file, 'hex'), '003c00c0');
fs.rmSync(path.dirname(file), { recursive: true });
assert.strictEqual(vm.runInNewContext('new Float16Array([0.1])[0] === Math.f16round(0.1) && new Float16Array() instanceof Float16Array'), true);

// Functions of today's language that the engine lacks: Temporal (every realm has its own), Iterator.zip, Promise.allKeyed, Math.sumPrecise.
'use strict';
const assert = require('node:assert');
const vm = require('node:vm');
const { execFileSync } = require('node:child_process');

assert.strictEqual(Temporal.PlainDate.from('2024-02-28').add({ days: 2 }).toString(), '2024-03-01');
assert.strictEqual(Temporal.Duration.from({ hours: 30 }).round({ largestUnit: 'days' }).toString(), 'P1DT6H');
assert.strictEqual(
  Temporal.ZonedDateTime.from('2024-03-31T01:30+01:00[Europe/Berlin]').add({ hours: 1 }).toString(),
  '2024-03-31T03:30:00+02:00[Europe/Berlin]',
);
assert.strictEqual(new Date(0).toTemporalInstant().toString(), '1970-01-01T00:00:00Z');
assert.strictEqual(Object.prototype.toString.call(Temporal), '[object Temporal]');
assert.strictEqual(Object.getOwnPropertyDescriptor(globalThis, 'Temporal').enumerable, false);
const context = vm.createContext({});
assert.strictEqual(vm.runInContext('Temporal.PlainTime.from("12:30").toString()', context), '12:30:00');
assert.ok(vm.runInContext('new Date(0).toTemporalInstant() instanceof Temporal.Instant', context));
assert.notStrictEqual(vm.runInContext('Temporal', context), Temporal);
const worker = 'new (require("worker_threads").Worker)("console.log(Temporal.PlainYearMonth.from(\\"2024-05\\").daysInMonth)", { eval: true })';
assert.strictEqual(execFileSync(process.execPath, ['-e', worker], { encoding: 'utf8' }), '31\n');

assert.deepStrictEqual([...Iterator.zip([[1, 2, 3], ['a', 'b']])], [[1, 'a'], [2, 'b']]);
assert.deepStrictEqual([...Iterator.zip([[1, 2], ['a']], { mode: 'longest', padding: [0, '-'] })], [[1, 'a'], [2, '-']]);
assert.throws(() => [...Iterator.zip([[1, 2], ['a']], { mode: 'strict' })], TypeError);
assert.deepStrictEqual([...Iterator.zipKeyed({ a: [1, 2], b: [3, 4] })].map((item) => ({ ...item })), [{ a: 1, b: 3 }, { a: 2, b: 4 }]);
const closed = [];
const source = (name) => ({
  [Symbol.iterator]() { return this; },
  next: () => ({ value: name, done: false }),
  return() {
    closed.push(name);
    return {};
  },
});
const zipped = Iterator.zip([source('a'), source('b')]);
zipped.next();
zipped.return();
assert.deepStrictEqual(closed, ['b', 'a']);

assert.strictEqual(Math.sumPrecise([1e308, 1e308, 0.1, 0.1, 1e30, 0.1, -1e30, -1e308, -1e308]), 0.30000000000000004);
assert.strictEqual(Math.sumPrecise([0.1, 0.2, 0.3]), 0.6);
assert.ok(Object.is(Math.sumPrecise([]), -0));
assert.strictEqual(Math.sumPrecise([5e-324, 5e-324]), 1e-323);
assert.ok(Number.isNaN(Math.sumPrecise([Infinity, -Infinity])));
assert.throws(() => Math.sumPrecise([1n]), TypeError);
assert.strictEqual(Atomics.pause(5), undefined);
assert.throws(() => Atomics.pause('5'), TypeError);

// Iterators in pieces.
assert.deepStrictEqual([1, 2, 3, 4, 5].values().chunks(2).toArray(), [[1, 2], [3, 4], [5]]);
assert.deepStrictEqual([1, 2, 3].values().windows(2).toArray(), [[1, 2], [2, 3]]);
assert.deepStrictEqual([1].values().windows(2).toArray(), []);
assert.deepStrictEqual([1].values().windows(2, 'allow-partial').toArray(), [[1]]);
assert.throws(() => [].values().chunks(0), RangeError);
assert.throws(() => [].values().chunks('1'), TypeError);
assert.strictEqual([1, NaN].values().includes(NaN), true);
assert.strictEqual([1, 2].values().includes(1, 1), false);
assert.strictEqual([1, null, 3].values().join('-'), '1--3');

// Buffers that move, and half-precision numbers in them.
const resizable = new ArrayBuffer(8, { maxByteLength: 16 });
const fixed = resizable.transferToFixedLength(4);
assert.deepStrictEqual([resizable.detached, fixed.detached, fixed.resizable, fixed.byteLength], [true, false, false, 4]);
const moved = new ArrayBuffer(8, { maxByteLength: 16 }).transfer(2);
assert.deepStrictEqual([moved.resizable, moved.maxByteLength, moved.byteLength], [true, 16, 2]);
assert.throws(() => resizable.transfer(), TypeError);
const view = new DataView(fixed);
for (const [value, bits] of [[1.5, 0x3e00], [-0, 0x8000], [65504, 0x7bff], [65520, 0x7c00], [2 ** -24, 1], [-Infinity, 0xfc00], [NaN, 0x7e00]]) {
  view.setFloat16(0, value);
  assert.strictEqual(view.getUint16(0), bits, `${value}`);
  view.setFloat16(2, value, true);
  assert.strictEqual(view.getFloat16(2, true), value === 65520 ? Infinity : value);
}
assert.throws(() => view.setFloat16(3, 1), RangeError);
Map.groupBy([1], (...args) => assert.strictEqual(args.length, 2));

(async () => {
  const found = await Promise.allKeyed({ a: 1, b: Promise.resolve(2) });
  assert.deepStrictEqual({ ...found }, { a: 1, b: 2 });
  assert.strictEqual(Object.getPrototypeOf(found), null);
  await assert.rejects(Promise.allKeyed({ a: Promise.reject(new Error('no')) }), /no/);
  const settled = await Promise.allSettledKeyed({ a: 1, b: Promise.reject(2) });
  assert.deepStrictEqual({ ...settled }, { a: { status: 'fulfilled', value: 1 }, b: { status: 'rejected', reason: 2 } });
})();

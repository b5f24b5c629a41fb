// v8.serialize and deserialize: every kind of value comes back, in the bytes that Node writes; damaged bytes give an Error.
'use strict';
const assert = require('node:assert');
const v8 = require('node:v8');

const circular = { name: 'x' };
circular.self = [circular];
const sparse = [1, , 3];
sparse.extra = true;
const far = [];
far[5000] = 'far';
const values = [
  undefined, null, true, false, 0, -0, 1, -1, 2 ** 31, -(2 ** 31), 1.5, NaN, Infinity, 'text', 'äöü', 'snow \u2603', '', 0n, -1n, 2n ** 70n,
  [], [1, [2]], sparse, far, {}, { a: 1, 5: 'five' }, circular, new Date(5), /a+/giu, new Map([[1, { a: 1 }], ['b', new Set([2])]]),
  Object(true), Object(3), Object('s'), Object(7n), new ArrayBuffer(3), new Uint8Array([1, 2]), new Float64Array([Math.PI]), Buffer.from('hello'),
  new DataView(new ArrayBuffer(4), 1, 2), new BigInt64Array([5n]), new RangeError('range'),
];
for (const value of values) assert.deepStrictEqual(v8.deserialize(v8.serialize(value)), value);
assert(Buffer.isBuffer(v8.deserialize(v8.serialize(Buffer.from('x')))));
const shared = {};
const back = v8.deserialize(v8.serialize([shared, shared]));
assert.strictEqual(back[0], back[1]);

// As Node writes them.
const known = [
  [{ a: 'bc', 1: -1 }, 'ff0f6f4902490122016122026263 7b02'], [['x', 2n], 'ff0f4102220178 5a1002000000000000002400 02'],
  [Buffer.from('hi'), 'ff0f5c0a026869'], ['\u2603', 'ff0f63020326'], [new Map([[true, null]]), 'ff0f3b54303a02'],
];
for (const [value, hex] of known) {
  assert.strictEqual(v8.serialize(value).toString('hex'), hex.replaceAll(' ', ''));
  assert.deepStrictEqual(v8.deserialize(Buffer.from(hex.replaceAll(' ', ''), 'hex')), value);
}

for (const value of [() => {}, Symbol('s'), Promise.resolve(), new WeakMap(), { deep: [() => {}] }]) assert.throws(() => v8.serialize(value), /could not be cloned\.$/);
assert.throws(() => v8.deserialize('text'), { code: 'ERR_INVALID_ARG_TYPE' });

// No bytes can do worse than throw.
let seed = 1;
const random = () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
for (const value of values) {
  const bytes = v8.serialize(value);
  for (let i = 0; i < 20; i++) {
    const broken = Buffer.from(bytes.subarray(0, 1 + Math.floor(random() * bytes.length)));
    broken[Math.floor(random() * broken.length)] = Math.floor(random() * 256);
    try {
      v8.deserialize(broken);
    } catch (error) {
      assert(error instanceof Error);
    }
  }
}

class Mine extends v8.Serializer {
  _writeHostObject(view) {
    this.writeUint32(view.length);
    this.writeUint64(1, 2);
    this.writeDouble(0.5);
    this.writeRawBytes(view);
  }
}
const mine = new Mine();
mine._setTreatArrayBufferViewsAsHostObjects(true);
mine.writeHeader();
mine.writeValue(new Uint8Array([9, 8]));
class Theirs extends v8.Deserializer {
  _readHostObject() {
    const size = this.readUint32();
    assert.deepStrictEqual(this.readUint64(), [1, 2]);
    assert.strictEqual(this.readDouble(), 0.5);
    return { bytes: [...this.readRawBytes(size)] };
  }
}
const theirs = new Theirs(mine.releaseBuffer());
assert.strictEqual(theirs.readHeader(), true);
assert.strictEqual(theirs.getWireFormatVersion(), 15);
assert.deepStrictEqual(theirs.readValue(), { bytes: [9, 8] });

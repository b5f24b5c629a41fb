// The integer methods of Buffer with arguments that are not the usual ones: left out, converted, refused; each in a cold and in a hot function.
'use strict';

const assert = require('assert');

const widths = { 8: 1, 16: 2, 32: 4 };
const names = Object.keys(Buffer.prototype).filter((name) => /^(read|write)U?Int(8|16|32)/.test(name));
assert.strictEqual(names.length, 20);

const code = (name) => (error) => error.code === name;
const outOfRange = code('ERR_OUT_OF_RANGE');
const wrongType = code('ERR_INVALID_ARG_TYPE');

function checkRead(name, width) {
  assert.strictEqual(Buffer.prototype[name].length, 1);
  const buffer = Buffer.from([0x81, 0x92, 0xa3, 0xb4, 0xc5, 0x16]);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
  const get = name.replace(/^read(U?)Int(\d+).*/, (_, u, bits) => `get${u ? 'Uint' : 'Int'}${bits}`);
  const isLittle = name.endsWith('LE');
  for (let at = 0; at + width <= buffer.length; at++) {
    assert.strictEqual(buffer[name](at), view[get](at, isLittle), `${name}(${at})`);
  }
  assert.strictEqual(buffer[name](), view[get](0, isLittle));
  assert.strictEqual(buffer[name](undefined), view[get](0, isLittle));
  assert.strictEqual(buffer[name](-0), view[get](0, isLittle));
  for (const bad of ['0', null, {}, true, [], 0n, Symbol('x')]) assert.throws(() => buffer[name](bad), wrongType, `${name}(${typeof bad})`);
  for (const bad of [-1, buffer.length - width + 1, buffer.length, Infinity, -Infinity, NaN, 1.5, 2 ** 32, 2 ** 53]) {
    assert.throws(() => buffer[name](bad), outOfRange, `${name}(${bad})`);
  }
  assert.throws(() => Buffer.alloc(width - 1)[name](), code('ERR_BUFFER_OUT_OF_BOUNDS'));
}

function checkWrite(name, width) {
  assert.strictEqual(Buffer.prototype[name].length, 1);
  const isSigned = !name.includes('UInt');
  const [, u, bits] = /^write(U?)Int(\d+)/.exec(name);
  const set = `set${u ? 'Uint' : 'Int'}${bits}`;
  const isLittle = name.endsWith('LE');
  const [min, max] = isSigned ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
  const once = { calls: 0, valueOf() { return ++this.calls; } };
  const values = [min, max, 0, -0, 1, 1.9, '7', null, undefined, NaN, true, [], once, max - 0.5];
  for (const value of values) {
    for (const offset of [undefined, 0, 1]) {
      const buffer = Buffer.alloc(6, 0x55);
      const expected = Buffer.alloc(6, 0x55);
      once.calls = 0;
      const number = +value;
      once.calls = 0;
      new DataView(expected.buffer, expected.byteOffset).setUint8(0, 0x55);
      new DataView(expected.buffer, expected.byteOffset)[set](offset ?? 0, number, isLittle);
      assert.strictEqual(buffer[name](value, offset), (offset ?? 0) + width, `${name}(${String(value)}, ${offset})`);
      assert.deepStrictEqual(buffer, expected, `${name}(${String(value)}, ${offset})`);
      if (value === once) assert.strictEqual(once.calls, 1);
    }
  }
  const buffer = Buffer.alloc(6, 0x55);
  for (const bad of [min - 1, max + 1, Infinity, -Infinity]) assert.throws(() => buffer[name](bad, 0), outOfRange, `${name}(${bad})`);
  for (const bad of ['0', null, {}, 0n, Symbol('x')]) assert.throws(() => buffer[name](0, bad), wrongType);
  for (const bad of [-1, 7 - width, NaN, 0.5, Infinity, 2 ** 32]) assert.throws(() => buffer[name](0, bad), outOfRange, `offset ${bad}`);
  assert.deepStrictEqual(buffer, Buffer.alloc(6, 0x55));
  assert.throws(() => buffer[name](1n, 0), TypeError);
}

for (let round = 0; round < 60; round++) {
  for (const name of names) {
    const width = widths[/\d+/.exec(name)[0]];
    if (name.startsWith('read')) checkRead(name, width);
    else checkWrite(name, width);
  }
}

// A buffer whose memory went away while the functions are hot.
{
  const memory = new ArrayBuffer(8);
  const buffer = Buffer.from(memory);
  for (let i = 0; i < 2e5; i++) buffer.writeUInt32LE(buffer.readUInt32BE(i & 3), (i + 1) & 3);
  structuredClone(memory, { transfer: [memory] });
  assert.throws(() => buffer.readUInt32BE(0), code('ERR_BUFFER_OUT_OF_BOUNDS'));
  assert.throws(() => buffer.writeUInt32LE(1, 0), code('ERR_BUFFER_OUT_OF_BOUNDS'));
}

// Which of several wrong arguments is told: the width, then the offset, then the value.
{
  const buffer = Buffer.alloc(8);
  assert.throws(() => buffer.writeIntBE(Symbol('value'), 0), code('ERR_INVALID_ARG_TYPE'));
  assert.throws(() => buffer.writeBigInt64BE(1, 1.5), code('ERR_OUT_OF_RANGE'));
  assert.throws(() => Buffer.alloc(3).writeBigUInt64LE(1), code('ERR_BUFFER_OUT_OF_BOUNDS'));
  assert.throws(() => buffer.writeBigUInt64LE(1), { name: 'TypeError', message: /Cannot mix BigInt/ });
  assert.throws(() => buffer.write(3), { code: 'ERR_INVALID_ARG_TYPE', message: 'argument must be a string' });
  assert.throws(() => buffer.write(3, 'nope'), code('ERR_UNKNOWN_ENCODING'));
  assert.throws(() => buffer.write(3, 0, 1, 'hex'), code('ERR_INVALID_ARG_TYPE'));
  assert.throws(() => buffer.fill('a', 1.5), code('ERR_OUT_OF_RANGE'));
  assert.throws(() => buffer.fill(0, 256, 1.5), code('ERR_OUT_OF_RANGE'));
}

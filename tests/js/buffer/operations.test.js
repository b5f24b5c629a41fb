// Creation, numbers, search, comparison, filling, swapping; errors as Node words them.
'use strict';
const assert = require('node:assert');

assert.ok(Buffer.alloc(3) instanceof Uint8Array);
assert.deepStrictEqual([...Buffer.alloc(5, 'ab')], [97, 98, 97, 98, 97]);
assert.strictEqual(Buffer.concat([Buffer.from('ab'), Buffer.from('cd')], 3).toString(), 'abc');
assert.throws(() => Buffer.concat([1]), { code: 'ERR_INVALID_ARG_TYPE' });
assert.throws(() => Buffer.alloc(-1), { code: 'ERR_OUT_OF_RANGE' });
assert.throws(() => Buffer.from(5), { code: 'ERR_INVALID_ARG_TYPE' });

// A slice shares memory; a copy does not.
const whole = Buffer.from('abcdef');
whole.subarray(1, 3)[0] = 88;
assert.strictEqual(whole.toString(), 'aXcdef');
assert.strictEqual(whole.slice(-3, -1).toString(), 'de');
Buffer.from(whole)[0] = 0;
assert.strictEqual(whole[0], 97);

const numbers = Buffer.alloc(16);
assert.strictEqual(numbers.writeUInt32BE(0xdeadbeef, 2), 6);
assert.strictEqual(numbers.readUInt32BE(2), 0xdeadbeef);
assert.strictEqual(numbers.readInt32LE(2), 0xefbeadde | 0);
numbers.writeIntBE(-1234567890123, 0, 6);
assert.strictEqual(numbers.readIntBE(0, 6), -1234567890123);
numbers.writeBigInt64LE(-5n, 8);
assert.strictEqual(numbers.readBigInt64LE(8), -5n);
numbers.writeDoubleBE(Math.PI, 3);
assert.strictEqual(numbers.readDoubleBE(3), Math.PI);
assert.throws(() => numbers.readUInt32LE(13), {
  code: 'ERR_OUT_OF_RANGE', message: 'The value of "offset" is out of range. It must be >= 0 and <= 12. Received 13',
});
assert.throws(() => numbers.writeUInt8(256), {
  code: 'ERR_OUT_OF_RANGE', message: 'The value of "value" is out of range. It must be >= 0 and <= 255. Received 256',
});
assert.throws(() => numbers.readInt8('0'), { code: 'ERR_INVALID_ARG_TYPE' });

const text = Buffer.from('this is a buffer, this is');
assert.strictEqual(text.indexOf('is'), 2);
assert.strictEqual(text.indexOf('is', -3), 23);
assert.strictEqual(text.lastIndexOf('this'), 18);
assert.strictEqual(text.lastIndexOf('this', 17), 0);
assert.strictEqual(text.includes(Buffer.from('buffer')), true);
assert.strictEqual(text.indexOf(0x62), 10);
assert.strictEqual(text.indexOf(''), 0);
assert.strictEqual(Buffer.from('axbx', 'utf16le').indexOf('x', 'utf16le'), 2);

assert.strictEqual(Buffer.compare(Buffer.from('a'), Buffer.from('b')), -1);
assert.strictEqual(text.equals(Buffer.from(text)), true);
assert.strictEqual(Buffer.from([1, 2, 3, 4]).swap16().toString('hex'), '02010403');
assert.throws(() => Buffer.from([1]).swap32(), { code: 'ERR_INVALID_BUFFER_SIZE' });
assert.deepStrictEqual(JSON.parse(JSON.stringify(Buffer.from('hi'))), { type: 'Buffer', data: [104, 105] });
assert.strictEqual(require('node:util').inspect(Buffer.from('hi')), '<Buffer 68 69>');

// A codec that a package turns itself, on the spot: _handle.writeSync() and the sizes left in _writeState.
'use strict';
const assert = require('node:assert');
const zlib = require('node:zlib');

const data = Buffer.from('abc'.repeat(1000));
const packed = zlib.deflateSync(data);
const inflate = new zlib.Inflate();
const out = Buffer.alloc(4096);
inflate._handle.writeSync(zlib.constants.Z_FINISH, packed, 0, packed.length, out, 0, out.length);
assert.deepStrictEqual(Array.from(inflate._writeState), [out.length - data.length, 0]);
assert.ok(out.subarray(0, data.length).equals(data));

// Its own buffer is there for who looks, and used as it is or replaced.
const own = new zlib.Inflate({ chunkSize: 128 });
assert.strictEqual(own._outBuffer.length, 128);
assert.strictEqual(own._outBuffer, own._outBuffer);
own._outBuffer = out;
assert.strictEqual(own._outBuffer, out);
const looked = zlib.createInflate();
assert.ok(Buffer.isBuffer(looked._outBuffer));
let text = '';
looked.setEncoding('latin1').on('data', (chunk) => { text += chunk; }).on('end', () => assert.strictEqual(text, data.toString()));
looked.end(packed);

const broken = new zlib.Inflate();
broken.on('error', (error) => assert.strictEqual(error.code, 'Z_DATA_ERROR'));
broken._handle.writeSync(zlib.constants.Z_FINISH, Buffer.from('not deflated'), 0, 12, out, 0, out.length);
process.on('exit', () => assert.ok(broken.destroyed));

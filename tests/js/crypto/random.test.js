// Random bytes, numbers and UUIDs; nothing calls back synchronously (S85).
'use strict';
const assert = require('node:assert');
const nodeCrypto = require('node:crypto');

const bytes = nodeCrypto.randomBytes(64);
assert(Buffer.isBuffer(bytes) && bytes.length === 64 && bytes.some((byte) => byte !== 0));
const part = nodeCrypto.randomFillSync(new Uint8Array(64), 32);
assert(part.subarray(0, 32).every((byte) => byte === 0) && part.subarray(32).some((byte) => byte !== 0));
for (let i = 0; i < 1000; i++) {
  const drawn = nodeCrypto.randomInt(-3, 4);
  assert(Number.isInteger(drawn) && drawn >= -3 && drawn < 4);
}
assert.match(nodeCrypto.randomUUID(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
assert.match(nodeCrypto.randomUUID({ disableEntropyCache: true }), /^[0-9a-f-]{36}$/);
assert(Math.abs(parseInt(nodeCrypto.randomUUIDv7().replace('-', '').slice(0, 12), 16) - Date.now()) < 60000);

assert.strictEqual(nodeCrypto.webcrypto, crypto);
const view = new Uint32Array(8);
assert.strictEqual(crypto.getRandomValues(view), view);
assert(view.some((value) => value !== 0));
assert.notStrictEqual(crypto.randomUUID(), crypto.randomUUID());
assert.throws(() => crypto.getRandomValues(new Float32Array(1)), { name: 'TypeMismatchError' });
assert.throws(() => crypto.getRandomValues(new Uint8Array(65537)), { name: 'QuotaExceededError' });
assert.throws(() => crypto.getRandomValues.call({}, view), { code: 'ERR_INVALID_THIS' });
assert.throws(() => new Crypto(), { code: 'ERR_ILLEGAL_CONSTRUCTOR' });

assert.throws(() => nodeCrypto.randomBytes(-1), { code: 'ERR_OUT_OF_RANGE', message: 'The value of "size" is out of range. It must be >= 0 && <= 2147483647. Received -1' });
assert.throws(() => nodeCrypto.randomBytes('a'), { code: 'ERR_INVALID_ARG_TYPE' });
assert.throws(() => nodeCrypto.randomInt(5, 2), { code: 'ERR_OUT_OF_RANGE' });
assert.throws(() => nodeCrypto.randomInt('a'), { code: 'ERR_INVALID_ARG_TYPE', message: 'The "max" argument must be a safe integer. Received type string (\'a\')' });
assert.throws(() => nodeCrypto.randomFillSync(new Uint8Array(2), 3), { code: 'ERR_OUT_OF_RANGE' });

let called = 0;
let synchronous = true;
const heard = (check) => (error, value) => {
  assert(!synchronous && !error && check(value));
  called++;
};
nodeCrypto.randomBytes(16, heard((value) => value.length === 16));
nodeCrypto.randomFill(new Uint8Array(4), heard((value) => value.length === 4));
nodeCrypto.randomFill(new Uint8Array(0), heard((value) => value.length === 0));
nodeCrypto.randomInt(3, heard((value) => value >= 0 && value < 3));
synchronous = false;
process.on('exit', () => assert.strictEqual(called, 4));

// Hash, Hmac, hash(): known answers, streams, copies, wrong input.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');

assert.strictEqual(crypto.createHash('sha1').update('abc').digest('hex'), 'a9993e364706816aba3e25717850c26c9cd0d89d');
assert.strictEqual(crypto.createHash('md5').update('a').update(Buffer.from('bc')).digest('base64'), 'kAFQmDzST7DWlj99KOF/cg==');
assert.strictEqual(crypto.createHash('SHA256').digest('hex').slice(0, 8), 'e3b0c442');
assert.strictEqual(crypto.createHash('shake128', { outputLength: 5 }).update('a').digest('hex'), '85c8de88d2');
assert.throws(() => crypto.createHash('sha1', { outputLength: 5 }), { code: 'ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH' });
assert.strictEqual(crypto.hash('sha1', 'abc'), 'a9993e364706816aba3e25717850c26c9cd0d89d');
assert.strictEqual(crypto.createHmac('sha256', 'key').update('The quick brown fox jumps over the lazy dog').digest('hex'),
  'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8');
assert.strictEqual(crypto.createHmac('sha1', '').update('').digest('hex'), 'fbdb1d1b18aa6c08324b7d64b71fb76370690e1d');
assert.strictEqual(crypto.Hash('md5').digest('hex'), 'd41d8cd98f00b204e9800998ecf8427e');
assert(crypto.getHashes().includes('sha256'));

const first = crypto.createHash('sha1').update('a');
const second = first.copy();
assert.strictEqual(first.update('bc').digest('hex'), second.update('bc').digest('hex'));
for (const use of [() => first.update('x'), () => first.digest(), () => first.copy()]) {
  assert.throws(use, { code: 'ERR_CRYPTO_HASH_FINALIZED', message: 'Digest already called' });
}
const mac = crypto.createHmac('md5', 'k');
mac.digest();
assert.strictEqual(mac.digest('hex'), '');

assert.throws(() => crypto.createHash('nope'), { message: 'Digest method not supported' });
assert.throws(() => crypto.hash('nope', ''), { message: 'Digest method nope is not supported' });
assert.throws(() => crypto.createHash(), { code: 'ERR_INVALID_ARG_TYPE' });
assert.throws(() => crypto.createHash('md5').update(3), { code: 'ERR_INVALID_ARG_TYPE' });
assert.throws(() => crypto.createHmac('nope', 'k'), { code: 'ERR_CRYPTO_INVALID_DIGEST', message: 'Invalid digest: nope' });
assert.throws(() => crypto.createHmac('md5', 3), { code: 'ERR_INVALID_ARG_TYPE' });

assert(crypto.timingSafeEqual(Buffer.from('ab'), new Uint8Array([97, 98])));
assert(!crypto.timingSafeEqual(Buffer.from('ab'), Buffer.from('ac')));
assert.throws(() => crypto.timingSafeEqual(Buffer.alloc(1), Buffer.alloc(2)), { code: 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH', name: 'RangeError' });

let streamed;
require('node:stream').Readable.from(['a', 'b', 'c']).pipe(crypto.createHash('sha1')).setEncoding('hex').on('data', (text) => { streamed = text; });
process.on('exit', () => assert.strictEqual(streamed, 'a9993e364706816aba3e25717850c26c9cd0d89d'));

// A Hash that was a stream gives its digest to digest() once more, and takes nothing.
{
  const { createHash, createHmac } = require('node:crypto');
  const wanted = createHash('sha256').update('x').digest('hex');
  const streamed = createHash('sha256');
  streamed.end('x');
  assert.strictEqual(streamed.read().toString('hex'), wanted);
  assert.throws(() => streamed.update('y'), { code: 'ERR_CRYPTO_HASH_UPDATE_FAILED' });
  assert.strictEqual(streamed.digest('hex'), wanted);
  assert.throws(() => streamed.digest(), { code: 'ERR_CRYPTO_HASH_FINALIZED' });
  assert.throws(() => streamed.update('z'), { code: 'ERR_CRYPTO_HASH_FINALIZED' });

  const encoded = createHash('sha3-512');
  encoded.setEncoding('hex').on('data', (text) => assert.strictEqual(encoded.digest('hex'), text)).end('aoeu');

  const code = createHmac('sha256', 'k');
  code.end('x');
  assert.strictEqual(code.read().length, 32);
  assert.throws(() => code.update('y'), { code: 'ERR_CRYPTO_HASH_FINALIZED' });
  assert.strictEqual(code.digest('hex'), '');

  // Data after digest() is an error of the stream.
  const late = createHash('sha256');
  late.update('x').digest();
  let told;
  late.on('error', (error) => { told = error.code; });
  late.end('x');
  process.on('exit', () => assert.strictEqual(told, 'ERR_CRYPTO_HASH_UPDATE_FAILED'));
}

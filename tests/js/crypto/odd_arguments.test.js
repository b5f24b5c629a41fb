// Arguments that make no sense, answered as Node answers them.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');

// An encoding that is none is UTF-8 where something goes in, and bytes where a digest comes out.
const known = crypto.createHash('sha1').update('a').digest('hex');
assert.strictEqual(crypto.createHash('sha1').update('a', 'none').digest('hex'), known);
assert.strictEqual(crypto.createHash('sha1').update('a').digest('none').toString('hex'), known);
for (const encoding of [5, true, null, '']) assert.ok(Buffer.isBuffer(crypto.createHash('sha1').digest(encoding)));
assert.throws(() => crypto.createHash('sha1').digest({ toString() { throw new Error('asked'); } }), { message: 'asked' });
assert.ok(Buffer.isBuffer(crypto.createHmac('sha1', 'key').update('a', 'none').digest('none')));

const ed = crypto.generateKeyPairSync('ed25519'), ec = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
for (const [pair, words] of [[ed, 'ed25519 and ed25519'], [ec, 'ec and ed25519']]) {
  assert.throws(() => crypto.diffieHellman({ privateKey: pair.privateKey, publicKey: ed.publicKey }),
    { code: 'ERR_CRYPTO_INCOMPATIBLE_KEY', message: `Incompatible key types for Diffie-Hellman: ${words}` });
}
assert.throws(() => globalThis.crypto.getRandomValues(), { name: 'TypeError', code: 'ERR_MISSING_ARGS' });

(async () => {
  const { subtle } = globalThis.crypto;
  const refuses = (promise, message) => assert.rejects(promise, { name: 'SyntaxError', message });
  await refuses(subtle.generateKey('Ed25519', true, ['encrypt']), 'Unsupported key usage for Ed25519 key');
  await refuses(subtle.importKey('raw', new Uint8Array(16), 'AES-CBC', true, ['sign']), 'Unsupported key usage for AES-CBC key');
  await refuses(subtle.importKey('raw', new Uint8Array(2), 'HKDF', false, ['sign']), 'Unsupported key usage for a HKDF key');
})();

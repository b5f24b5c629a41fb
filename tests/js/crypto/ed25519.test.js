// Signatures with Ed25519 are another library's than everything else: byte for byte Node 26's, for messages of all sizes, by every way to sign and
// for keys of every format; OpenSSL accepts each of them.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');

// The same seeds and messages everywhere: a stream of bytes that its number decides.
const bytes = (label, size) => crypto.createHash('shake256', { outputLength: size }).update(label).digest();
const keyOf = (seed) => crypto.createPrivateKey({ key: seed, format: 'raw-private', asymmetricKeyType: 'ed25519' });

// SHA-256 of what Node 26 answers to this very loop.
const kOfNode = 'b750a55e22d46c562a95e55b43df7c7e92c1008540debe71a167d0ac06ceefba';
const sizes = [0, 1, 31, 32, 63, 64, 65, 111, 112, 127, 128, 129, 1000, 4096, 65537, 1 << 20];
const all = crypto.createHash('sha256');
for (let i = 0; i < 256; i++) {
  const key = keyOf(bytes(`seed ${i}`, 32)), message = bytes(`message ${i}`, i < 16 ? sizes[i] : i * 7 % 1021);
  const signature = crypto.sign(null, message, key);
  assert.strictEqual(signature.length, 64);
  assert.strictEqual(crypto.verify(null, message, crypto.createPublicKey(key), signature), true);
  all.update(signature);
}
assert.strictEqual(all.digest('hex'), kOfNode);

const seed = bytes('seed', 32), message = bytes('message', 300), key = keyOf(seed);
const expected = crypto.sign(null, message, key).toString('hex');
const of = (input) => crypto.sign(null, message, input).toString('hex');
const passphrase = 'of the key';
const encrypted = key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase });
assert.strictEqual(of(key.export({ type: 'pkcs8', format: 'pem' })), expected);
assert.strictEqual(of({ key: key.export({ type: 'pkcs8', format: 'der' }), type: 'pkcs8', format: 'der' }), expected);
assert.strictEqual(of({ key: encrypted, passphrase }), expected);
assert.strictEqual(of({ key: key.export({ format: 'jwk' }), format: 'jwk' }), expected);
assert.strictEqual(of({ key: seed, format: 'raw-private', asymmetricKeyType: 'ed25519' }), expected);
assert.strictEqual(of(crypto.KeyObject.from(key.toCryptoKey('Ed25519', true, ['sign']))), expected);
assert.strictEqual(of(structuredClone(key)), expected);

// What is refused is refused in OpenSSL's words.
assert.throws(() => crypto.sign('sha256', message, key), { code: 'ERR_OSSL_INVALID_DIGEST' });
assert.throws(() => crypto.sign(null, message, crypto.createPublicKey(key)), { code: 'ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE' });

let answers = 0;
for (let i = 0; i < 20; i++) {
  crypto.sign(null, message, key, (error, signature) => {
    assert.ifError(error);
    assert.strictEqual(signature.toString('hex'), expected);
    answers++;
  });
}
(async () => {
  const { subtle } = crypto;
  const pkcs8 = await subtle.importKey('pkcs8', key.export({ type: 'pkcs8', format: 'der' }), 'Ed25519', false, ['sign']);
  const jwk = await subtle.importKey('jwk', key.export({ format: 'jwk' }), 'Ed25519', false, ['sign']);
  for (const imported of [pkcs8, jwk]) {
    assert.strictEqual(Buffer.from(await subtle.sign('Ed25519', imported, message)).toString('hex'), expected);
  }
  const pair = await subtle.generateKey('Ed25519', false, ['sign', 'verify']);
  const signature = await subtle.sign({ name: 'Ed25519' }, pair.privateKey, new Uint8Array(0));
  assert.strictEqual(await subtle.verify('Ed25519', pair.publicKey, signature, new Uint8Array(0)), true);
  answers++;
})();
process.on('exit', () => assert.strictEqual(answers, 21));

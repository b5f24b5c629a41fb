// SLH-DSA in node:crypto: Node's sizes and names, every form of a key there and back, signatures with contexts, what is refused.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');
const { promisify } = require('node:util');

const { createPrivateKey, createPublicKey } = crypto;
const data = Buffer.from('some words');
const counting = (size) => Buffer.from(Array.from({ length: size }, (_, i) => i));

// type → [bytes of a hash, of a signature, the last number of the identifier]; of the slow ones, one.
const kinds = {
  'slh-dsa-sha2-128s': [16, 7856, 20], 'slh-dsa-sha2-128f': [16, 17088, 21], 'slh-dsa-sha2-192f': [24, 35664, 23],
  'slh-dsa-sha2-256f': [32, 49856, 25], 'slh-dsa-shake-128f': [16, 17088, 27], 'slh-dsa-shake-192f': [24, 35664, 29],
  'slh-dsa-shake-256f': [32, 49856, 31],
};

function checkForms(type, { privateKey, publicKey }) {
  const [size, , last] = kinds[type];
  assert.strictEqual(privateKey.asymmetricKeyType, type);
  assert.deepStrictEqual(publicKey.asymmetricKeyDetails, {});
  const raw = privateKey.export({ format: 'raw-private' });
  assert.strictEqual(raw.length, 4 * size);
  assert.deepStrictEqual(publicKey.export({ format: 'raw-public' }), raw.subarray(2 * size));
  assert.ok(createPrivateKey({ key: raw, format: 'raw-private', asymmetricKeyType: type }).equals(privateKey));

  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  const identifier = Buffer.from(`300b06096086480165030403${last.toString(16)}`, 'hex');
  assert.ok(der.includes(identifier));
  assert.deepStrictEqual(der.subarray(-4 * size), raw);
  assert.ok(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).equals(privateKey));
  const sealed = privateKey.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-128-cbc', passphrase: 'secret' });
  assert.ok(createPrivateKey({ key: sealed, passphrase: 'secret' }).equals(privateKey));
  assert.ok(createPublicKey(publicKey.export({ format: 'pem', type: 'spki' })).equals(publicKey));

  const jwk = privateKey.export({ format: 'jwk' });
  const alg = type.slice(0, -1).toUpperCase() + type.slice(-1);
  assert.deepStrictEqual(jwk, {
    kty: 'AKP', alg, pub: raw.subarray(2 * size).toString('base64url'), priv: raw.toString('base64url'),
  });
  assert.ok(createPrivateKey({ key: jwk, format: 'jwk' }).equals(privateKey));
  assert.ok(structuredClone(privateKey).equals(privateKey));
}

function checkRefusals(type, { privateKey, publicKey }) {
  const [size] = kinds[type];
  const invalid = { code: 'ERR_INVALID_ARG_VALUE', message: 'Invalid key data' };
  assert.throws(() => createPrivateKey({ key: Buffer.alloc(4 * size - 1), format: 'raw-private', asymmetricKeyType: type }), invalid);
  assert.throws(() => createPublicKey({ key: Buffer.alloc(2 * size + 1), format: 'raw-public', asymmetricKeyType: type }), invalid);
  const incompatible = { code: 'ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS' };
  assert.throws(() => createPrivateKey({ key: counting(3 * size), format: 'raw-seed', asymmetricKeyType: type }), incompatible);
  assert.throws(() => privateKey.export({ format: 'raw-seed' }), incompatible);
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  // One byte less in every frame.
  const short = Buffer.from(der.subarray(0, -1));
  const head = der.length - 4 * size;
  short[head - 1]--;
  short[short[1] === 0x81 ? 2 : 1]--;
  assert.throws(() => createPrivateKey({ key: short, format: 'der', type: 'pkcs8' }), { code: 'ERR_OSSL_UNSUPPORTED' });
  const jwk = privateKey.export({ format: 'jwk' });
  for (const change of [{ alg: jwk.alg.toUpperCase() }, { priv: 'AAAA' }, { pub: 'AAAA' }, { pub: Buffer.alloc(2 * size).toString('base64url') }]) {
    assert.throws(() => createPrivateKey({ key: { ...jwk, ...change }, format: 'jwk' }), { code: 'ERR_CRYPTO_INVALID_JWK' });
  }
  assert.throws(() => crypto.encapsulate(publicKey), { code: 'ERR_CRYPTO_OPERATION_FAILED' });
}

async function checkSignatures(type, { privateKey, publicKey }) {
  const [, made] = kinds[type];
  const context = Buffer.alloc(255, 1);
  const signature = await promisify(crypto.sign)(null, data, { key: privateKey, context });
  assert.strictEqual(signature.length, made);
  assert.strictEqual(crypto.verify(null, data, { key: publicKey, context }, signature), true);
  assert.strictEqual(await promisify(crypto.verify)(null, data, publicKey, signature), false);
  signature[made >> 1] ^= 1;
  assert.strictEqual(crypto.verify(null, data, { key: publicKey, context }, signature), false);
  assert.strictEqual(crypto.verify(null, data, publicKey, Buffer.alloc(5)), false);
  assert.throws(() => crypto.sign(null, data, { key: privateKey, context: Buffer.alloc(256) }), { code: 'ERR_OUT_OF_RANGE' });
  assert.throws(() => crypto.sign('sha256', data, privateKey), { code: 'ERR_OSSL_INVALID_DIGEST' });
}

async function main() {
  for (const type of Object.keys(kinds)) {
    const pair = crypto.generateKeyPairSync(type);
    checkForms(type, pair);
    checkRefusals(type, pair);
    await checkSignatures(type, pair);
  }
  const { publicKey } = await promisify(crypto.generateKeyPair)('slh-dsa-sha2-128f', { publicKeyEncoding: { format: 'raw-public' } });
  assert.strictEqual(publicKey.length, 32);
}
let isOver = false;
main().then(() => { isOver = true; });
process.on('exit', () => assert.ok(isOver));

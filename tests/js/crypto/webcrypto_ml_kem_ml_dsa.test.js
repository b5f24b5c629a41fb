// ML-KEM, ML-DSA and Argon2 in crypto.subtle: round trips through every format, encapsulation, contexts, what is refused and how.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');
const expandedKeys = require('../../fixtures/ml_keys.js');

const { subtle, SubtleCrypto = globalThis.SubtleCrypto } = globalThis.crypto;
const rejects = (promise, name, message) => assert.rejects(promise, message === undefined ? { name } : { name, message });
const bytes = (text) => new TextEncoder().encode(text);

async function checkFormats(name, publicUsages, privateUsages) {
  const pair = await subtle.generateKey(name, true, [...publicUsages, ...privateUsages]);
  const { publicKey, privateKey } = pair;
  assert.deepStrictEqual(publicKey.algorithm, { name });
  assert.deepStrictEqual(publicKey.usages, publicUsages);
  assert.deepStrictEqual(privateKey.usages, privateUsages);
  for (const [key, usages, formats] of [[publicKey, publicUsages, ['raw-public', 'spki', 'jwk']], [privateKey, privateUsages, ['raw-seed', 'pkcs8', 'jwk']]]) {
    for (const format of formats) {
      const written = await subtle.exportKey(format, key);
      const back = await subtle.importKey(format, written, { name }, true, usages);
      assert.strictEqual(back.type, key.type);
      assert.deepStrictEqual(await subtle.exportKey(format, back), written);
      assert.deepStrictEqual(await subtle.exportKey(format, structuredClone(back)), written);
    }
  }
  const other = await subtle.getPublicKey(privateKey, publicUsages);
  assert.deepStrictEqual(await subtle.exportKey('spki', other), await subtle.exportKey('spki', publicKey));
  await rejects(subtle.getPublicKey(privateKey, privateUsages), 'SyntaxError');

  await rejects(subtle.exportKey('raw', publicKey), 'NotSupportedError', `Unable to export ${name} public key using raw format`);
  await rejects(subtle.exportKey('pkcs8', publicKey), 'InvalidAccessError', 'Key must be a private key');
  await rejects(subtle.exportKey('spki', privateKey), 'InvalidAccessError', 'Key must be a public key');
  await rejects(subtle.importKey('raw-public', new Uint8Array(3), name, true, publicUsages), 'DataError');
  await rejects(subtle.importKey('raw-seed', new Uint8Array(3), name, true, privateUsages), 'DataError');
  await rejects(subtle.importKey('raw-seed', await subtle.exportKey('raw-seed', privateKey), name, true, []), 'SyntaxError');
  await rejects(subtle.importKey('raw', await subtle.exportKey('raw-public', publicKey), name, true, publicUsages), 'NotSupportedError');
  const jwk = await subtle.exportKey('jwk', privateKey);
  assert.deepStrictEqual(Object.keys(jwk), ['key_ops', 'ext', 'kty', 'alg', 'pub', 'priv']);
  for (const change of [{ alg: 'ML-DSA-1' }, { alg: undefined }, { pub: undefined }, { pub: 'AAAA' }, { priv: 'AAAA' }, { kty: 'OKP' }]) {
    await rejects(subtle.importKey('jwk', { ...jwk, ...change }, name, true, privateUsages), 'DataError');
  }
  await rejects(subtle.generateKey(name, true, publicUsages), 'SyntaxError');
  await rejects(subtle.generateKey(name, true, ['encrypt']), 'SyntaxError', `Unsupported key usage for ${name} key`);
  for (const operation of ['generateKey', 'importKey', 'exportKey', 'getPublicKey']) assert.ok(SubtleCrypto.supports(operation, name));
  return pair;
}

async function checkSignatures(name, { publicKey, privateKey }) {
  const data = bytes('some words');
  for (const context of [undefined, new Uint8Array(0), new Uint8Array(255)]) {
    const algorithm = context === undefined ? { name } : { name, context };
    const signature = await subtle.sign(algorithm, privateKey, data);
    assert.strictEqual(await subtle.verify(algorithm, publicKey, signature, data), true);
    assert.strictEqual(await subtle.verify({ name, context: bytes('x') }, publicKey, signature, data), false);
    assert.ok(crypto.verify(null, data, { key: crypto.KeyObject.from(publicKey), context: context ?? new Uint8Array(0) }, Buffer.from(signature)));
  }
  const tooLong = { name, context: new Uint8Array(256) };
  await rejects(subtle.sign(tooLong, privateKey, data), 'OperationError', 'ContextParams.context must be at most 255 bytes');
  await rejects(subtle.verify(tooLong, publicKey, data, data), 'OperationError');
  await rejects(subtle.sign(name, publicKey, data), 'InvalidAccessError');
  assert.strictEqual(SubtleCrypto.supports('sign', name), true);
  assert.strictEqual(SubtleCrypto.supports('sign', tooLong), false);
}

async function checkEncapsulation(name, { publicKey, privateKey }) {
  const bits = await subtle.encapsulateBits(name, publicKey);
  assert.deepStrictEqual(await subtle.decapsulateBits(name, privateKey, bits.ciphertext), bits.sharedKey);
  assert.strictEqual(bits.sharedKey.byteLength, 32);
  const aes = { name: 'AES-GCM', length: 256 };
  const { sharedKey, ciphertext } = await subtle.encapsulateKey(name, publicKey, aes, true, ['encrypt']);
  const opened = await subtle.decapsulateKey(name, privateKey, ciphertext, aes, true, ['encrypt']);
  assert.deepStrictEqual(opened.algorithm, aes);
  assert.deepStrictEqual(await subtle.exportKey('raw', opened), await subtle.exportKey('raw', sharedKey));

  await rejects(subtle.decapsulateBits(name, privateKey, new Uint8Array(5)), 'OperationError');
  await rejects(subtle.encapsulateBits(name, privateKey), 'InvalidAccessError', 'encapsulationKey does not have encapsulateBits usage');
  const other = name === 'ML-KEM-512' ? 'ML-KEM-768' : 'ML-KEM-512';
  await rejects(subtle.encapsulateBits(other, publicKey), 'InvalidAccessError', 'key algorithm mismatch');
  await rejects(subtle.encapsulateBits('ML-DSA-44', publicKey), 'NotSupportedError');
  assert.strictEqual(SubtleCrypto.supports('encapsulateKey', name, 'AES-GCM'), true);
  assert.strictEqual(SubtleCrypto.supports('encapsulateKey', name, { name: 'HMAC', hash: 'SHA-256', length: 128 }), false);
  assert.strictEqual(SubtleCrypto.supports('decapsulateBits', name), true);
}

// A KeyObject without a seed may become a CryptoKey; its PKCS #8 may not, and nothing comes out of it.
async function checkSeedless() {
  const der = expandedKeys['ml-dsa-44'];
  const head = Buffer.from('30820a18020100300b060960864801650304031104820a0404820a00', 'hex');
  const pkcs8 = Buffer.concat([head, der]);
  await rejects(subtle.importKey('pkcs8', pkcs8, 'ML-DSA-44', true, ['sign']), 'NotSupportedError');
  const key = crypto.createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }).toCryptoKey('ML-DSA-44', true, ['sign']);
  assert.strictEqual((await subtle.sign('ML-DSA-44', key, bytes('x'))).byteLength, 2420);
  for (const format of ['pkcs8', 'raw-seed', 'jwk']) await rejects(subtle.exportKey(format, key), 'OperationError');
}

async function checkArgon2() {
  const described = (overrides) => ({
    name: 'Argon2id', nonce: new Uint8Array(16).fill(2), parallelism: 4, memory: 32, passes: 3,
    secretValue: new Uint8Array(8).fill(3), associatedData: new Uint8Array(12).fill(4), ...overrides,
  });
  const key = await subtle.importKey('raw-secret', new Uint8Array(32).fill(1), 'Argon2id', false, ['deriveBits', 'deriveKey']);
  // RFC 9106, 5.3
  const expected = '0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659';
  assert.strictEqual(Buffer.from(await subtle.deriveBits(described({ version: 0x13 }), key, 256)).toString('hex'), expected);
  const made = await subtle.deriveKey(described(), key, { name: 'AES-GCM', length: 256 }, true, ['encrypt']);
  assert.strictEqual(Buffer.from(await subtle.exportKey('raw', made)).toString('hex'), expected);
  for (const change of [{ nonce: new Uint8Array(7) }, { parallelism: 0 }, { memory: 31 }, { passes: 0 }, { version: 0x10 }]) {
    await rejects(subtle.deriveBits(described(change), key, 256), 'OperationError');
  }
  for (const length of [null, 0, 24, 33]) await rejects(subtle.deriveBits(described(), key, length), 'OperationError');
  await rejects(subtle.deriveBits(described({ nonce: undefined }), key, 256), 'TypeError');
  await rejects(subtle.importKey('raw', new Uint8Array(8), 'Argon2id', false, ['deriveBits']), 'NotSupportedError');
  await rejects(subtle.importKey('raw-secret', new Uint8Array(8), 'Argon2id', true, ['deriveBits']), 'SyntaxError');
  assert.strictEqual(SubtleCrypto.supports('deriveBits', described(), 256), true);
  assert.strictEqual(SubtleCrypto.supports('deriveBits', described(), 24), false);
}

async function main() {
  for (const name of ['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87']) await checkSignatures(name, await checkFormats(name, ['verify'], ['sign']));
  for (const name of ['ML-KEM-512', 'ML-KEM-768', 'ML-KEM-1024']) {
    const pair = await checkFormats(name, ['encapsulateKey', 'encapsulateBits'], ['decapsulateKey', 'decapsulateBits']);
    await checkEncapsulation(name, pair);
  }
  await checkSeedless();
  await checkArgon2();
}
let isOver = false;
main().then(() => { isOver = true; });
process.on('exit', () => assert.ok(isOver));

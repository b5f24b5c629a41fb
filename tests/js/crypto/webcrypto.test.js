// crypto.subtle: every algorithm made, exported, imported and used; keys that a program cannot reach; errors with the Standard's names.
'use strict';
const assert = require('node:assert');
const { subtle } = crypto;

const data = new TextEncoder().encode('some text');
const signing = [
  [{ name: 'HMAC', hash: 'SHA-256' }, {}], [{ name: 'ECDSA', namedCurve: 'P-256' }, { hash: 'SHA-256' }], [{ name: 'Ed25519' }, {}], [{ name: 'Ed448' }, {}],
  [{ name: 'RSASSA-PKCS1-v1_5', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' }, {}],
  [{ name: 'RSA-PSS', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-384' }, { saltLength: 16 }],
  [{ name: 'KMAC128' }, { outputLength: 256 }],
];
const ciphering = [
  [{ name: 'AES-CBC', length: 128 }, { iv: new Uint8Array(16) }], [{ name: 'AES-GCM', length: 256 }, { iv: new Uint8Array(12), additionalData: data }],
  [{ name: 'AES-CTR', length: 192 }, { counter: new Uint8Array(16).fill(255), length: 64 }], [{ name: 'AES-OCB', length: 128 }, { iv: new Uint8Array(12) }],
  [{ name: 'ChaCha20-Poly1305' }, { iv: new Uint8Array(12) }],
];

async function main() {
  for (const [algorithm, parameters] of signing) {
    const made = await subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const own = made.privateKey ?? made, other = made.publicKey ?? made;
    const use = { name: algorithm.name, ...parameters };
    const signature = await subtle.sign(use, own, data);
    assert.strictEqual(await subtle.verify(use, other, signature, data), true, algorithm.name);
    assert.strictEqual(await subtle.verify(use, other, signature, new Uint8Array(3)), false, algorithm.name);
    const again = await subtle.importKey('jwk', await subtle.exportKey('jwk', own), algorithm, true, ['sign']);
    assert.strictEqual(await subtle.verify(use, other, await subtle.sign(use, again, data), data), true, algorithm.name);
    assert.deepStrictEqual(structuredClone(own).algorithm, own.algorithm);
  }
  for (const [algorithm, parameters] of ciphering) {
    const key = await subtle.generateKey(algorithm, true, ['encrypt', 'decrypt']);
    const use = { name: algorithm.name, ...parameters };
    const sealed = await subtle.encrypt(use, key, data);
    assert.deepStrictEqual(new Uint8Array(await subtle.decrypt(use, key, sealed)), data, algorithm.name);
    const again = await subtle.importKey('raw-secret', await subtle.exportKey('raw-secret', key), algorithm, false, ['decrypt']);
    assert.deepStrictEqual(new Uint8Array(await subtle.decrypt(use, again, sealed)), data);
    await assert.rejects(subtle.exportKey('raw-secret', again), { name: 'InvalidAccessError' });
    await assert.rejects(subtle.encrypt(use, again, data), { name: 'InvalidAccessError' });
    if (algorithm.name === 'AES-GCM') await assert.rejects(subtle.decrypt(use, key, sealed.slice(1)), { name: 'OperationError' });
  }

  // The counter wraps round within its bits: the second block is that of counter zero.
  const key = await subtle.importKey('raw', new Uint8Array(16), 'AES-CTR', false, ['encrypt']);
  const block = (counter) => subtle.encrypt({ name: 'AES-CTR', counter, length: 8 }, key, new Uint8Array(16));
  const last = new Uint8Array(16).fill(7, 0, 15);
  last[15] = 255;
  const both = new Uint8Array(await subtle.encrypt({ name: 'AES-CTR', counter: last, length: 8 }, key, new Uint8Array(32)));
  assert.deepStrictEqual(both.slice(16), new Uint8Array(await block(new Uint8Array(16).fill(7, 0, 15))));

  for (const algorithm of [{ name: 'ECDH', namedCurve: 'P-384' }, { name: 'X25519' }]) {
    const a = await subtle.generateKey(algorithm, false, ['deriveBits', 'deriveKey']), b = await subtle.generateKey(algorithm, false, ['deriveBits']);
    const shared = await subtle.deriveBits({ name: algorithm.name, public: b.publicKey }, a.privateKey, 128);
    assert.deepStrictEqual(shared, await subtle.deriveBits({ name: algorithm.name, public: a.publicKey }, b.privateKey, 128));
    const wrapping = await subtle.deriveKey({ name: algorithm.name, public: b.publicKey }, a.privateKey, { name: 'AES-KW', length: 256 }, false, ['wrapKey', 'unwrapKey']);
    const secret = await subtle.generateKey({ name: 'HMAC', hash: 'SHA-1' }, true, ['sign']);
    for (const format of ['raw', 'jwk']) {
      const wrapped = await subtle.wrapKey(format, secret, wrapping, 'AES-KW');
      const back = await subtle.unwrapKey(format, wrapped, wrapping, 'AES-KW', { name: 'HMAC', hash: 'SHA-1' }, true, ['sign']);
      assert.deepStrictEqual(await subtle.exportKey('raw', back), await subtle.exportKey('raw', secret));
    }
  }
  const password = await subtle.importKey('raw', data, 'PBKDF2', false, ['deriveBits']);
  const derived = await subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt: data, iterations: 2 }, password, 256);
  assert.deepStrictEqual(Buffer.from(derived), require('node:crypto').pbkdf2Sync(data, data, 2, 32, 'sha256'));

  // SP 800-185's first sample of cSHAKE, RFC 9861's of KT128.
  const cshake = await subtle.digest({ name: 'cSHAKE128', outputLength: 256, customization: Buffer.from('Email Signature') }, Uint8Array.of(0, 1, 2, 3));
  assert.strictEqual(Buffer.from(cshake).toString('hex'), 'c1c36925b6409a04f1b504fcbca9d82b4017277cb5ed2b2065fc1d3814d5aaf5');
  const kangaroo = await subtle.digest({ name: 'KT128', outputLength: 256 }, new Uint8Array(0));
  assert.strictEqual(Buffer.from(kangaroo).toString('hex'), '1ac2d450fc3b4205d19da7bfca1b37513c0803577ac7167f06fe2ce1f0ef39e5');

  // A point of order eight "verifies" what nobody signed.
  const small = await subtle.importKey('raw', Buffer.from('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa', 'hex'), 'Ed25519', false, ['verify']);
  const forged = Buffer.from(`c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a${'00'.repeat(32)}`, 'hex');
  assert.strictEqual(await subtle.verify('Ed25519', small, forged, Buffer.from('8c93255d71dcab10e8f379c26200f3c7bd5f09d9bc3068d3ef4edeb4853022b6', 'hex')), false);

  // The signature is what it was when verify() was called.
  const mac = await subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
  const signature = new Uint8Array(await subtle.sign('HMAC', mac, data));
  const verified = [subtle.verify('HMAC', mac, signature, data), subtle.verify('HMAC', mac, new DataView(signature.buffer), data)];
  signature.fill(0);
  assert.deepStrictEqual(await Promise.all(verified), [true, true]);
  assert.strictEqual(await subtle.verify('HMAC', mac, signature, data), false);
  for (const given of [signature.slice(), new DataView(signature.slice().buffer), signature.slice().buffer]) {
    const leaving = { get name() { structuredClone(0, { transfer: [given.buffer ?? given] }); return 'HMAC'; } };
    assert.strictEqual(await subtle.verify(leaving, mac, given, data), false);
  }

  // A Kelvin sign is no K; what is asked of supports() is checked as the operation would.
  await assert.rejects(subtle.importKey('raw', data, 'H\u212aDF', false, ['deriveBits']), { name: 'NotSupportedError' });
  const pair = await subtle.generateKey('X25519', false, ['deriveBits']);
  assert.strictEqual(SubtleCrypto.supports('deriveBits', { name: 'X25519', public: pair.publicKey }, 256), true);
  assert.strictEqual(SubtleCrypto.supports('deriveBits', { name: 'X25519', public: pair.privateKey }, 256), false);
  assert.strictEqual(SubtleCrypto.supports('importKey', { name: 'HMAC', hash: 'SHA-256', length: 0 }), false);
  assert.strictEqual(SubtleCrypto.supports('generateKey', { name: 'RSA-PSS', hash: 'SHA-1', modulusLength: 3, publicExponent: Uint8Array.of(3) }), false);
  assert.throws(() => crypto.getRandomValues(new Uint8Array(65537)), { name: 'QuotaExceededError', quota: null, requested: null });

  await assert.rejects(subtle.digest('MD5', data), { name: 'NotSupportedError' });
  await assert.rejects(subtle.generateKey({ name: 'AES-CBC', length: 100 }, true, ['encrypt']), { name: 'OperationError' });
  await assert.rejects(subtle.generateKey({ name: 'AES-CBC', length: 128 }, true, []), { name: 'SyntaxError' });
  await assert.rejects(subtle.importKey('raw', new Uint8Array(5), 'AES-CBC', true, ['encrypt']), { name: 'DataError' });
  await assert.rejects(subtle.digest('SHA-1', 5), { name: 'TypeError' });
  assert.throws(() => new CryptoKey(), { code: 'ERR_ILLEGAL_CONSTRUCTOR' });
}
let isOver = false;
main().then(() => { isOver = true; });
process.on('exit', () => assert.ok(isOver));

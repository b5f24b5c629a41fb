// ML-KEM and ML-DSA in node:crypto: Node's answers for fixed seeds, every form of a key there and back, what is refused and how.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');
const { promisify } = require('node:util');
const { MessageChannel, receiveMessageOnPort } = require('node:worker_threads');
const expandedKeys = require('../../fixtures/ml_keys.js');

const { createPrivateKey, createPublicKey } = crypto;
const hash = (bytes) => crypto.createHash('sha256').update(bytes).digest('hex').slice(0, 16);
const counting = (size) => Buffer.from(Array.from({ length: size }, (_, i) => i));

// Of the seed 0, 1, 2, …: the start of SHA-256 of the public key, its size, the size of a signature or ciphertext, and, of ML-KEM, the
// start of what a ciphertext of zeros gives.
const kinds = {
  'ml-kem-512': { seed: 64, publicHash: '3ae268dccc5456ac', size: 800, made: 768, rejected: 'fc3ccf20a37dd91d' },
  'ml-kem-768': { seed: 64, publicHash: '0b7934c83125c788', size: 1184, made: 1088, rejected: 'c8fbeddafdacef2f' },
  'ml-kem-1024': { seed: 64, publicHash: 'c7b8fa0aa471d5ae', size: 1568, made: 1568, rejected: '294cb5b6b0f37a04' },
  'ml-dsa-44': { seed: 32, publicHash: '9f107644c1084526', size: 1312, made: 2420 },
  'ml-dsa-65': { seed: 32, publicHash: 'd666806e11cee19a', size: 1952, made: 3309 },
  'ml-dsa-87': { seed: 32, publicHash: '91dc389cfaa01470', size: 2592, made: 4627 },
};
const isKem = (type) => type.startsWith('ml-kem');
const data = Buffer.from('some words');

function fixedPair(type) {
  const privateKey = createPrivateKey({ key: counting(kinds[type].seed), format: 'raw-seed', asymmetricKeyType: type });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

// --- DER by hand

const element = (tag, ...parts) => {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
function pkcs8(type, inner) {
  const { privateKey } = fixedPair(type);
  const identifier = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(5, 18);
  return element(0x30, Buffer.of(2, 1, 0), identifier, element(4, inner));
}
const fromPkcs8 = (type, inner) => createPrivateKey({ key: pkcs8(type, inner), format: 'der', type: 'pkcs8' });

// --- one kind after the other

function checkForms(type, { privateKey, publicKey }) {
  const { seed, publicHash, size } = kinds[type];
  for (const key of [privateKey, publicKey]) {
    assert.strictEqual(key.asymmetricKeyType, type);
    assert.deepStrictEqual(key.asymmetricKeyDetails, {});
    assert.ok(key.equals(key));
  }
  const raw = publicKey.export({ format: 'raw-public' });
  assert.strictEqual(raw.length, size);
  assert.strictEqual(hash(raw), publicHash);
  assert.deepStrictEqual(privateKey.export({ format: 'raw-seed' }), counting(seed));

  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  assert.strictEqual(der.length, seed + 22);
  assert.deepStrictEqual(der.subarray(18), element(4, element(0x80, counting(seed))));
  for (const options of [{}, { cipher: 'aes-256-cbc', passphrase: 'secret' }]) {
    for (const format of ['pem', 'der']) {
      const written = privateKey.export({ format, type: 'pkcs8', ...options });
      const back = createPrivateKey({ key: written, format, type: 'pkcs8', ...options });
      assert.deepStrictEqual(back.export({ format: 'der', type: 'pkcs8' }), der);
      assert.ok(createPublicKey({ key: written, format, type: 'pkcs8', ...options }).equals(publicKey));
    }
  }
  for (const format of ['pem', 'der']) {
    const written = publicKey.export({ format, type: 'spki' });
    assert.ok(createPublicKey({ key: written, format, type: 'spki' }).equals(publicKey));
  }
  const jwk = privateKey.export({ format: 'jwk' });
  assert.deepStrictEqual(jwk, {
    kty: 'AKP', alg: type.toUpperCase(), pub: raw.toString('base64url'), priv: counting(seed).toString('base64url'),
  });
  assert.ok(createPrivateKey({ key: jwk, format: 'jwk' }).equals(privateKey));
  assert.ok(createPublicKey({ key: jwk, format: 'jwk' }).equals(publicKey));
  assert.ok(createPublicKey({ key: raw, format: 'raw-public', asymmetricKeyType: type }).equals(publicKey));

  const { port1, port2 } = new MessageChannel();
  port1.postMessage([privateKey, publicKey]);
  const [other, otherPublic] = receiveMessageOnPort(port2).message;
  assert.deepStrictEqual(other.export({ format: 'raw-seed' }), counting(seed));
  assert.ok(otherPublic.equals(publicKey));
  port1.close();
}

function checkRefusals(type, { privateKey, publicKey }) {
  const { seed } = kinds[type];
  const invalid = { code: 'ERR_INVALID_ARG_VALUE', message: 'Invalid key data' };
  const incompatible = { code: 'ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS' };
  for (const length of [0, seed - 1, seed + 1]) {
    assert.throws(() => createPrivateKey({ key: Buffer.alloc(length), format: 'raw-seed', asymmetricKeyType: type }), invalid);
    assert.throws(() => createPublicKey({ key: Buffer.alloc(length), format: 'raw-public', asymmetricKeyType: type }), invalid);
  }
  assert.throws(() => createPrivateKey({ key: Buffer.alloc(seed), format: 'raw-private', asymmetricKeyType: type }), incompatible);
  assert.throws(() => privateKey.export({ format: 'raw-private' }), incompatible);
  assert.throws(() => privateKey.export({ format: 'der', type: 'sec1' }), incompatible);

  const jwk = privateKey.export({ format: 'jwk' });
  const broken = [{ alg: 'ML-DSA-45' }, { alg: undefined }, { pub: undefined }, { pub: 'AAAA' }, { priv: 'AAAA' }, { priv: 5 }];
  for (const change of broken) {
    assert.throws(() => createPrivateKey({ key: { ...jwk, ...change }, format: 'jwk' }), { code: 'ERR_CRYPTO_INVALID_JWK' });
  }
  const other = crypto.generateKeyPairSync(type).publicKey.export({ format: 'jwk' });
  assert.throws(() => createPrivateKey({ key: { ...jwk, pub: other.pub }, format: 'jwk' }), { code: 'ERR_CRYPTO_INVALID_JWK' });

  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const short = element(0x30, spki.subarray(4, 17), element(3, spki.subarray(21, -1)));
  assert.throws(() => createPublicKey({ key: short, format: 'der', type: 'spki' }), { code: 'ERR_OSSL_EVP_DECODE_ERROR' });
  for (const inner of [Buffer.alloc(0), element(0x80, Buffer.alloc(seed - 1)), element(4, Buffer.alloc(seed)), element(0x30)]) {
    assert.throws(() => fromPkcs8(type, inner), { code: 'ERR_OSSL_UNSUPPORTED' });
  }
  const x25519 = crypto.generateKeyPairSync('x25519');
  assert.throws(() => crypto.diffieHellman({ privateKey: x25519.privateKey, publicKey }), { code: 'ERR_CRYPTO_INCOMPATIBLE_KEY' });
  assert.throws(() => crypto.publicEncrypt(publicKey, data), { code: 'ERR_OSSL_EVP_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE' });
}

// Whatever is changed in a key's encoding is read as a key or refused with a code.
function checkMutations(type, { privateKey, publicKey }) {
  const forms = [[createPrivateKey, 'pkcs8', privateKey], [createPublicKey, 'spki', publicKey]];
  for (const [create, encoding, key] of forms) {
    const der = key.export({ format: 'der', type: encoding });
    for (let i = 0; i < 60; i++) {
      const bad = Buffer.from(der);
      bad[i % 30] ^= 1 << (i % 8);
      try {
        create({ key: i % 3 === 0 ? bad.subarray(0, Math.max(2, der.length - i)) : bad, format: 'der', type: encoding });
      } catch (error) {
        assert.match(error.code, /^ERR_/, `${type} ${encoding} ${i}: ${error.stack}`);
      }
    }
  }
}

async function checkKem(type, { privateKey, publicKey }) {
  const { made, rejected } = kinds[type];
  for (const from of [publicKey, privateKey]) {
    const { sharedKey, ciphertext } = crypto.encapsulate(from);
    assert.strictEqual(sharedKey.length, 32);
    assert.strictEqual(ciphertext.length, made);
    assert.deepStrictEqual(crypto.decapsulate(privateKey, ciphertext), sharedKey);
  }
  const later = await promisify(crypto.encapsulate)(publicKey);
  assert.deepStrictEqual(await promisify(crypto.decapsulate)(privateKey, later.ciphertext), later.sharedKey);
  later.ciphertext[5] ^= 4;
  assert.notDeepStrictEqual(crypto.decapsulate(privateKey, later.ciphertext), later.sharedKey);
  assert.ok(crypto.decapsulate(privateKey, Buffer.alloc(made)).toString('hex').startsWith(rejected));
  for (const length of [0, made - 1, made + 1]) {
    assert.throws(() => crypto.decapsulate(privateKey, Buffer.alloc(length)), { code: 'ERR_CRYPTO_OPERATION_FAILED', message: 'Decapsulation failed' });
  }
  assert.throws(() => crypto.sign(null, data, privateKey), { code: 'ERR_OSSL_EVP_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE' });
  // Numbers of q and above are none.
  assert.throws(() => createPublicKey({ key: Buffer.alloc(kinds[type].size, 255), format: 'raw-public', asymmetricKeyType: type }),
    { message: 'Invalid key data' });
}

async function checkDsa(type, { privateKey, publicKey }) {
  const { made } = kinds[type];
  const context = Buffer.alloc(255, 1);
  for (const options of [{}, { context: Buffer.alloc(0) }, { context }]) {
    const signature = crypto.sign(null, data, { key: privateKey, ...options });
    assert.strictEqual(signature.length, made);
    assert.strictEqual(crypto.verify(null, data, { key: publicKey, ...options }, signature), true);
    assert.strictEqual(crypto.verify(null, data, { key: publicKey, context: Buffer.from('other') }, signature), false);
    assert.strictEqual(crypto.verify(null, Buffer.from('others'), { key: publicKey, ...options }, signature), false);
    signature[made >> 1] ^= 1;
    assert.strictEqual(crypto.verify(null, data, { key: publicKey, ...options }, signature), false);
  }
  const later = await promisify(crypto.sign)(undefined, data, privateKey);
  assert.strictEqual(await promisify(crypto.verify)(undefined, data, publicKey, later), true);
  for (const length of [0, 1, made - 1, made + 1]) assert.strictEqual(crypto.verify(null, data, publicKey, Buffer.alloc(length)), false);

  const tooLong = { code: 'ERR_OUT_OF_RANGE', message: 'context string must be at most 255 bytes' };
  assert.throws(() => crypto.sign(null, data, { key: privateKey, context: Buffer.alloc(256) }), tooLong);
  assert.throws(() => crypto.verify(null, data, { key: publicKey, context: Buffer.alloc(256) }, later), tooLong);
  assert.throws(() => crypto.sign('sha256', data, privateKey), { code: 'ERR_OSSL_INVALID_DIGEST' });
  assert.throws(() => crypto.createSign('sha256').update(data).sign(privateKey), { code: 'ERR_CRYPTO_UNSUPPORTED_OPERATION' });
  assert.throws(() => crypto.encapsulate(publicKey), { code: 'ERR_CRYPTO_OPERATION_FAILED', message: 'Encapsulation failed' });
}

// A private key without its seed has no form but its own.
function checkSeedless(type, { publicKey }, expanded) {
  const framed = element(4, expanded);
  const key = fromPkcs8(type, framed);
  assert.ok(createPublicKey(key).equals(publicKey));
  assert.deepStrictEqual(key.export({ format: 'der', type: 'pkcs8' }), pkcs8(type, framed));
  assert.throws(() => key.export({ format: 'jwk' }), { code: 'ERR_CRYPTO_OPERATION_FAILED', message: 'key does not have an available seed' });
  assert.throws(() => key.export({ format: 'raw-seed' }), { code: 'ERR_CRYPTO_OPERATION_FAILED', message: 'Failed to get raw seed' });
  if (isKem(type)) {
    const { sharedKey, ciphertext } = crypto.encapsulate(publicKey);
    assert.deepStrictEqual(crypto.decapsulate(key, ciphertext), sharedKey);
  } else {
    assert.ok(crypto.verify(null, data, publicKey, crypto.sign(null, data, key)));
  }
  // With the seed beside it; and then both must be of one key.
  const seed = element(4, counting(kinds[type].seed));
  assert.deepStrictEqual(fromPkcs8(type, element(0x30, seed, framed)).export({ format: 'raw-seed' }), counting(kinds[type].seed));
  const bad = Buffer.from(expanded);
  bad[isKem(type) ? 10 : 6] ^= 1;
  assert.throws(() => fromPkcs8(type, element(4, bad)), { code: 'ERR_OSSL_INVALID_KEY' });
  assert.throws(() => fromPkcs8(type, element(0x30, seed, element(4, bad))), { code: 'ERR_OSSL_INVALID_KEY' });
}

async function main() {
  for (const type of Object.keys(kinds)) {
    const pair = fixedPair(type);
    checkForms(type, pair);
    checkRefusals(type, pair);
    checkMutations(type, pair);
    await (isKem(type) ? checkKem : checkDsa)(type, pair);
    if (expandedKeys[type] !== undefined) checkSeedless(type, pair, expandedKeys[type]);
    const made = await promisify(crypto.generateKeyPair)(type, {
      publicKeyEncoding: { format: 'pem', type: 'spki' }, privateKeyEncoding: { format: 'raw-seed' },
    });
    const again = createPublicKey({ key: made.privateKey, format: 'raw-seed', asymmetricKeyType: type });
    assert.ok(again.equals(createPublicKey(made.publicKey)));
  }
  assert.throws(() => crypto.generateKeyPairSync('ml-dsa-45'), { code: 'ERR_INVALID_ARG_VALUE' });
  assert.throws(() => createPublicKey({ key: data, format: 'raw-public', asymmetricKeyType: 'ml-dsa-45' }),
    { code: 'ERR_INVALID_ARG_VALUE', message: 'Invalid asymmetricKeyType: ml-dsa-45' });
  const ec = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
  assert.throws(() => crypto.sign('sha256', data, { key: ec.privateKey, context: data }),
    { code: 'ERR_CRYPTO_OPERATION_FAILED', message: 'Context parameter is unsupported' });
}
let isOver = false;
main().then(() => { isOver = true; });
process.on('exit', () => assert.ok(isOver));

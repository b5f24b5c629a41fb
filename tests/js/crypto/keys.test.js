// KeyObject: every format out and in again, what it says of itself, and what is refused.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');

const pairs = {
  rsa: crypto.generateKeyPairSync('rsa', { modulusLength: 1024 }),
  'rsa-pss': crypto.generateKeyPairSync('rsa-pss', { modulusLength: 1024, hashAlgorithm: 'sha256', saltLength: 20 }),
  dsa: crypto.generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 }),
  ec: crypto.generateKeyPairSync('ec', { namedCurve: 'secp384r1' }),
  ed25519: crypto.generateKeyPairSync('ed25519'),
  ed448: crypto.generateKeyPairSync('ed448'),
  x25519: crypto.generateKeyPairSync('x25519'),
  x448: crypto.generateKeyPairSync('x448'),
  dh: crypto.generateKeyPairSync('dh', { group: 'modp5' }),
};
const hasJwk = (type) => type !== 'rsa-pss' && type !== 'dsa' && type !== 'dh';

for (const [type, { publicKey, privateKey }] of Object.entries(pairs)) {
  assert.strictEqual(publicKey.asymmetricKeyType, type);
  for (const format of ['pem', 'der']) {
    const spki = publicKey.export({ format, type: 'spki' });
    assert.ok(crypto.createPublicKey({ key: spki, format, type: 'spki' }).equals(publicKey), `${type} spki ${format}`);
    const pkcs8 = privateKey.export({ format, type: 'pkcs8' });
    assert.ok(crypto.createPrivateKey({ key: pkcs8, format, type: 'pkcs8' }).equals(privateKey), `${type} pkcs8 ${format}`);
    assert.ok(crypto.createPublicKey({ key: pkcs8, format, type: 'pkcs8' }).equals(publicKey), `${type} public of pkcs8 ${format}`);
    const sealed = privateKey.export({ format, type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'top secret' });
    assert.ok(crypto.createPrivateKey({ key: sealed, format, type: 'pkcs8', passphrase: 'top secret' }).equals(privateKey));
    assert.throws(() => crypto.createPrivateKey({ key: sealed, format, type: 'pkcs8', passphrase: 'wrong' }));
    assert.throws(() => crypto.createPrivateKey({ key: sealed, format, type: 'pkcs8' }));
  }
  if (hasJwk(type)) {
    assert.ok(crypto.createPublicKey({ key: publicKey.export({ format: 'jwk' }), format: 'jwk' }).equals(publicKey), `${type} jwk`);
    assert.ok(crypto.createPrivateKey({ key: privateKey.export({ format: 'jwk' }), format: 'jwk' }).equals(privateKey), `${type} jwk`);
  } else {
    assert.throws(() => publicKey.export({ format: 'jwk' }), { code: 'ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE' });
  }
  assert.ok(structuredClone(privateKey).equals(privateKey), `${type} cloned`);
  assert.ok(!publicKey.equals(privateKey));
}
const old = pairs.rsa.privateKey.export({ format: 'pem', type: 'pkcs1', cipher: 'aes-128-cbc', passphrase: 'x' });
assert.match(old, /^-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED/);
assert.ok(crypto.createPrivateKey({ key: old, passphrase: 'x' }).equals(pairs.rsa.privateKey));
assert.ok(crypto.createPrivateKey({ key: pairs.ec.privateKey.export({ format: 'der', type: 'sec1' }), format: 'der', type: 'sec1' }).equals(pairs.ec.privateKey));
for (const type of ['ec', 'ed25519', 'x448']) {
  const raw = pairs[type].publicKey.export({ format: 'raw-public' });
  const made = crypto.createPublicKey({ key: raw, format: 'raw-public', asymmetricKeyType: type, namedCurve: 'P-384' });
  assert.ok(made.equals(pairs[type].publicKey));
}

assert.deepStrictEqual(pairs.rsa.publicKey.asymmetricKeyDetails, { modulusLength: 1024, publicExponent: 65537n });
assert.deepStrictEqual(pairs['rsa-pss'].publicKey.asymmetricKeyDetails, {
  modulusLength: 1024, publicExponent: 65537n, hashAlgorithm: 'sha256', mgf1HashAlgorithm: 'sha256', saltLength: 20,
});
assert.deepStrictEqual(pairs.dsa.publicKey.asymmetricKeyDetails, { modulusLength: 1024, divisorLength: 160 });
assert.deepStrictEqual(pairs.ec.publicKey.asymmetricKeyDetails, { namedCurve: 'secp384r1' });

const secret = crypto.createSecretKey(Buffer.from('0123456789abcdef'));
assert.strictEqual(secret.symmetricKeySize, 16);
assert.deepStrictEqual(secret.export({ format: 'jwk' }), { kty: 'oct', k: 'MDEyMzQ1Njc4OWFiY2RlZg' });
assert.throws(() => crypto.createHmac('sha256', pairs.rsa.publicKey), { code: 'ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE' });
assert.throws(() => crypto.createPrivateKey('no key'), { code: 'ERR_OSSL_UNSUPPORTED' });
assert.throws(() => crypto.generateKeyPairSync('ec', { namedCurve: 'no-such-curve' }), { code: 'ERR_CRYPTO_INVALID_CURVE' });

assert.deepStrictEqual(secret, crypto.createSecretKey(secret.export()));
assert.notDeepStrictEqual(secret, crypto.createSecretKey(Buffer.alloc(16)));
// A scalar of another curve is no key of this one, however small.
const scalar = pairs.ec.privateKey.export({ format: 'raw-private' });
assert.throws(() => crypto.createPrivateKey({ key: scalar, format: 'raw-private', asymmetricKeyType: 'ec', namedCurve: 'P-521' }), { code: 'ERR_INVALID_ARG_VALUE' });

// Numbers beyond what OpenSSL can count are refused, not followed.
const huge = Buffer.alloc(2 ** 26);
huge[0] = 1;
assert.throws(() => crypto.checkPrimeSync(huge), { code: 'ERR_OSSL_BN_BIGNUM_TOO_LONG' });
assert.throws(() => crypto.createDiffieHellman(huge), { code: 'ERR_OSSL_BN_BIGNUM_TOO_LONG' });
assert.throws(() => crypto.createECDH('prime256v1').setPrivateKey(huge), { code: 'ERR_CRYPTO_INVALID_KEYTYPE' });

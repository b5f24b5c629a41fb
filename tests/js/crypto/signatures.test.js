// Signatures, encryption with asymmetric keys, and agreement on a secret: each against its own inverse and against known answers.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');

const data = Buffer.from('what is signed');
const kinds = [
  ['sha256', crypto.generateKeyPairSync('rsa', { modulusLength: 1024 }), {}],
  ['sha256', crypto.generateKeyPairSync('rsa', { modulusLength: 1024 }), { padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength: 20 }],
  ['sha1', crypto.generateKeyPairSync('dsa', { modulusLength: 1024 }), { dsaEncoding: 'ieee-p1363' }],
  ['sha384', crypto.generateKeyPairSync('ec', { namedCurve: 'P-384' }), {}],
  ['sha512', crypto.generateKeyPairSync('ec', { namedCurve: 'P-521' }), { dsaEncoding: 'ieee-p1363' }],
  [null, crypto.generateKeyPairSync('ed25519'), {}],
  [null, crypto.generateKeyPairSync('ed448'), {}],
];
let answers = 0;
for (const [digest, { publicKey, privateKey }, options] of kinds) {
  const signature = crypto.sign(digest, data, { key: privateKey, ...options });
  assert.strictEqual(crypto.verify(digest, data, { key: publicKey, ...options }, signature), true);
  assert.strictEqual(crypto.verify(digest, Buffer.from('other'), { key: publicKey, ...options }, signature), false);
  assert.strictEqual(crypto.verify(digest, data, { key: publicKey, ...options }, signature.subarray(1)), false);
  if (options.dsaEncoding && privateKey.asymmetricKeyType === 'ec') assert.strictEqual(signature.length, 132);
  if (digest !== null) {
    const streamed = crypto.createSign(digest).update('what is ').update('signed').sign({ key: privateKey, ...options });
    assert.strictEqual(crypto.createVerify(digest).update(data).verify({ key: publicKey, ...options }, streamed), true);
  } else {
    assert.throws(() => crypto.createSign('sha256').update(data).sign(privateKey), { code: 'ERR_CRYPTO_UNSUPPORTED_OPERATION' });
  }
  crypto.sign(digest, data, { key: privateKey, ...options }, (error, later) => {
    assert.ifError(error);
    crypto.verify(digest, data, { key: publicKey, ...options }, later, (failed, isGood) => {
      assert.ifError(failed);
      assert.strictEqual(isGood, true);
      answers++;
    });
  });
}
process.on('exit', () => assert.strictEqual(answers, kinds.length));

// RFC 8032, 7.1, test 2.
const known = crypto.createPrivateKey({
  key: { kty: 'OKP', crv: 'Ed25519', d: 'TM0Imyj_ltqdtsNG7BFOD1uKMZ81q6Yk2oz27U-4pvs', x: 'PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw' }, format: 'jwk',
});
assert.strictEqual(crypto.sign(null, Buffer.from([0x72]), known).toString('hex'),
  '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00');

const rsa = kinds[0][1];
for (const [options, other] of [[{}, {}], [{ oaepHash: 'sha256', oaepLabel: Buffer.from('l') }, { oaepHash: 'sha256' }]]) {
  const sealed = crypto.publicEncrypt({ key: rsa.publicKey, ...options }, data);
  assert.deepStrictEqual(crypto.privateDecrypt({ key: rsa.privateKey, ...options }, sealed), data);
  if (options.oaepLabel) assert.throws(() => crypto.privateDecrypt({ key: rsa.privateKey, ...other }, sealed));
}
assert.deepStrictEqual(crypto.publicDecrypt(rsa.publicKey, crypto.privateEncrypt(rsa.privateKey, data)), data);

for (const make of [() => crypto.createDiffieHellmanGroup('modp5'), () => crypto.createECDH('secp256k1')]) {
  const alice = make(), bob = make();
  alice.generateKeys();
  bob.generateKeys();
  assert.deepStrictEqual(alice.computeSecret(bob.getPublicKey()), bob.computeSecret(alice.getPublicKey()));
}
for (const type of ['x25519', 'x448']) {
  const a = crypto.generateKeyPairSync(type), b = crypto.generateKeyPairSync(type);
  assert.deepStrictEqual(crypto.diffieHellman({ privateKey: a.privateKey, publicKey: b.publicKey }),
    crypto.diffieHellman({ privateKey: b.privateKey, publicKey: a.publicKey }));
}

// Ciphers with and without a tag, against NIST's and the RFCs' answers, whole, in pieces and as streams; what is forged is refused.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');

const hex = (text) => Buffer.from(text, 'hex');
// SP 800-38A, F.2.1.
const cbc = crypto.createCipheriv('aes-128-cbc', hex('2b7e151628aed2a6abf7158809cf4f3c'), hex('000102030405060708090a0b0c0d0e0f')).setAutoPadding(false);
assert.strictEqual(cbc.update('6bc1bee22e409f96e93d7e117393172a', 'hex', 'hex') + cbc.final('hex'), '7649abac8119b246cee98e9b12e9197d');
// The GCM specification, test case 4.
const gcm = crypto.createCipheriv('aes-128-gcm', hex('feffe9928665731c6d6a8f9467308308'), hex('cafebabefacedbaddecaf888'));
gcm.setAAD(hex('feedfacedeadbeeffeedfacedeadbeefabaddad2'));
const text = 'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39';
assert.strictEqual(gcm.update(text, 'hex', 'hex') + gcm.final('hex'),
  '42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091');
assert.strictEqual(gcm.getAuthTag().toString('hex'), '5bc94fbc3221a5db94fae95ae7121a47');

const message = Buffer.from('many bytes of text, more than one block of them');
for (const [name, keySize, ivSize] of [['aes-256-gcm', 32, 12], ['aes-192-ccm', 24, 11], ['aes-128-ocb', 16, 12], ['chacha20-poly1305', 32, 12]]) {
  const key = crypto.randomBytes(keySize), iv = crypto.randomBytes(ivSize), options = { authTagLength: 16 };
  const seal = () => {
    const cipher = crypto.createCipheriv(name, key, iv, options);
    cipher.setAAD(Buffer.from('seen'), { plaintextLength: message.length });
    return [Buffer.concat([cipher.update(message), cipher.final()]), cipher.getAuthTag()];
  };
  const open = (sealed, tag, aad) => {
    const decipher = crypto.createDecipheriv(name, key, iv, options);
    decipher.setAuthTag(tag);
    decipher.setAAD(Buffer.from(aad), { plaintextLength: sealed.length });
    return Buffer.concat([decipher.update(sealed), decipher.final()]);
  };
  const [sealed, tag] = seal();
  assert.deepStrictEqual(open(sealed, tag, 'seen'), message, name);
  const forged = Buffer.from(tag);
  forged[0] ^= 1;
  assert.throws(() => open(sealed, forged, 'seen'), /unable to authenticate/i, name);
  assert.throws(() => open(sealed, tag, 'else'), /unable to authenticate/i, name);
  const untold = crypto.createDecipheriv(name, key, iv, options);
  assert.throws(() => { untold.update(sealed); untold.final(); }, Error, `${name} without a tag`);
}
assert.throws(() => crypto.createCipheriv('aes-128-ccm', Buffer.alloc(16), Buffer.alloc(12)), { code: 'ERR_CRYPTO_INVALID_AUTH_TAG' });
assert.throws(() => crypto.createCipheriv('aes-128-cbc', Buffer.alloc(15), Buffer.alloc(16)), { code: 'ERR_CRYPTO_INVALID_KEYLEN' });
assert.throws(() => crypto.createCipheriv('aes-128-cbc', Buffer.alloc(16), Buffer.alloc(15)), { code: 'ERR_CRYPTO_INVALID_IV' });
assert.throws(() => crypto.createCipheriv('no-such', Buffer.alloc(16), null), { code: 'ERR_CRYPTO_UNKNOWN_CIPHER' });
assert.deepStrictEqual({ ...crypto.getCipherInfo('aes-128-gcm') }, { mode: 'gcm', name: 'id-aes128-gcm', nid: 895, blockSize: 1, ivLength: 12, keyLength: 16 });

const { pipeline, Readable } = require('node:stream');
const key = crypto.randomBytes(32), iv = crypto.randomBytes(16), parts = [];
pipeline(Readable.from([message, message]), crypto.createCipheriv('aes-256-cbc', key, iv), crypto.createDecipheriv('aes-256-cbc', key, iv), async function* (source) {
  for await (const part of source) parts.push(part);
}, (error) => {
  assert.ifError(error);
  assert.deepStrictEqual(Buffer.concat(parts), Buffer.concat([message, message]));
});

// crypto.parsePKCS12: the key and the certificates of a bundle.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');
const { both, bare, key } = require('../../fixtures/pkcs12');

for (const passphrase of ['secret', Buffer.from('secret'), new Uint8Array(Buffer.from('secret')).buffer]) {
  const { privateKey, certificate, additionalCertificates } = crypto.parsePKCS12(both, { passphrase });
  assert.strictEqual(privateKey.export({ type: 'pkcs8', format: 'pem' }), key);
  assert(certificate instanceof crypto.X509Certificate);
  assert.strictEqual(certificate.subject, 'CN=leaf');
  assert(certificate.checkPrivateKey(privateKey));
  assert.deepStrictEqual(additionalCertificates.map(({ subject }) => subject), ['CN=other']);
}
const arrayBuffer = new Uint8Array(both).buffer;
assert.strictEqual(crypto.parsePKCS12(arrayBuffer, { passphrase: 'secret' }).certificate.subject, 'CN=leaf');

const withoutKey = crypto.parsePKCS12(bare);
assert.strictEqual(withoutKey.privateKey, null);
assert.deepStrictEqual([withoutKey.certificate, withoutKey.additionalCertificates.map(({ subject }) => subject)], [null, ['CN=leaf']]);

for (const options of [undefined, {}, { passphrase: 'wrong' }]) {
  assert.throws(() => crypto.parsePKCS12(both, options), { code: 'ERR_OSSL_PKCS12_MAC_VERIFY_FAILURE' });
}
for (const bytes of [Buffer.alloc(0), Buffer.from('nonsense'), both.subarray(0, -1)]) {
  assert.throws(() => crypto.parsePKCS12(bytes), { code: 'ERR_CRYPTO_OPERATION_FAILED', message: 'Input is not a valid PKCS#12 structure' });
}
assert.throws(() => crypto.parsePKCS12(both, { passphrase: 'secret\0' }), { code: 'ERR_INVALID_ARG_VALUE' });
for (const args of [['text'], [both, 1], [both, null], [both, { passphrase: 1 }]]) {
  assert.throws(() => crypto.parsePKCS12(...args), { code: 'ERR_INVALID_ARG_TYPE' });
}

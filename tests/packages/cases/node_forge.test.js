// node-forge, cryptography in JavaScript, against node:crypto, which does the same natively.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');
const forge = require('node-forge');

for (const name of ['md5', 'sha1', 'sha256', 'sha512']) {
  assert.strictEqual(forge.md[name].create().update('abc').digest().toHex(), crypto.createHash(name).update('abc').digest('hex'));
}
const key = forge.random.getBytesSync(16), iv = forge.random.getBytesSync(12);
const cipher = forge.cipher.createCipher('AES-GCM', key);
cipher.start({ iv });
cipher.update(forge.util.createBuffer('text'));
cipher.finish();
const decipher = crypto.createDecipheriv('aes-128-gcm', Buffer.from(key, 'latin1'), Buffer.from(iv, 'latin1'));
decipher.setAuthTag(Buffer.from(cipher.mode.tag.getBytes(), 'latin1'));
assert.strictEqual(decipher.update(cipher.output.getBytes(), 'latin1', 'utf8') + decipher.final('utf8'), 'text');

const pair = crypto.generateKeyPairSync('rsa', {
  modulusLength: 1024, publicKeyEncoding: { format: 'pem', type: 'spki' }, privateKeyEncoding: { format: 'pem', type: 'pkcs1' },
});
const certificate = forge.pki.createCertificate();
certificate.publicKey = forge.pki.publicKeyFromPem(pair.publicKey);
certificate.serialNumber = '01';
certificate.validity.notBefore = new Date(0);
certificate.validity.notAfter = new Date(4e12);
const name = [{ name: 'commonName', value: 'rondo.test' }];
certificate.setSubject(name);
certificate.setIssuer(name);
certificate.setExtensions([{ name: 'basicConstraints', cA: true }, { name: 'subjectAltName', altNames: [{ type: 2, value: 'a.rondo.test' }] }]);
certificate.sign(forge.pki.privateKeyFromPem(pair.privateKey), forge.md.sha256.create());
const x509 = new crypto.X509Certificate(forge.pki.certificateToPem(certificate));
assert.strictEqual(x509.subject, 'CN=rondo.test');
assert.strictEqual(x509.subjectAltName, 'DNS:a.rondo.test');
assert.strictEqual(x509.ca, true);
assert.strictEqual(x509.verify(crypto.createPublicKey(pair.publicKey)), true);
assert.strictEqual(x509.checkPrivateKey(crypto.createPrivateKey(pair.privateKey)), true);
assert.strictEqual(x509.checkHost('a.rondo.test'), 'a.rondo.test');

// Certificates of keys that OpenSSL 3.0 does not know, built by hand: their public key, who signed them, which private key fits.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');

const element = (tag, ...parts) => {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const time = (text) => element(0x17, Buffer.from(text));
const name = (text) => element(0x30, element(0x31, element(0x30, Buffer.from('0603550403', 'hex'), element(0x0c, Buffer.from(text)))));

// Signed by `signer`, whose algorithm's identifier stands in its own SPKI.
function certificate(subject, publicKey, signer) {
  const identifier = crypto.createPublicKey(signer).export({ format: 'der', type: 'spki' });
  const start = identifier.indexOf(Buffer.from('300b0609', 'hex'));
  const algorithm = identifier.subarray(start, start + 13);
  const signed = element(0x30,
    element(0xa0, Buffer.of(2, 1, 2)), Buffer.of(2, 1, 5), algorithm, name('issuer'),
    element(0x30, time('240101000000Z'), time('440101000000Z')), name(subject), publicKey.export({ format: 'der', type: 'spki' }));
  return element(0x30, signed, algorithm, element(3, Buffer.of(0), crypto.sign(null, signed, signer)));
}

for (const type of ['ml-dsa-44', 'ml-dsa-87', 'slh-dsa-sha2-128f', 'ml-kem-768']) {
  const own = crypto.generateKeyPairSync(type);
  const issuer = crypto.generateKeyPairSync(type === 'ml-kem-768' ? 'ml-dsa-65' : type);
  const der = certificate('subject', own.publicKey, issuer.privateKey);
  const made = new crypto.X509Certificate(der);
  assert.strictEqual(made.subject, 'CN=subject');
  assert.strictEqual(made.publicKey.asymmetricKeyType, type);
  assert.ok(made.publicKey.equals(own.publicKey));
  assert.strictEqual(made.checkPrivateKey(own.privateKey), true);
  assert.strictEqual(made.checkPrivateKey(issuer.privateKey), false);
  assert.strictEqual(made.verify(issuer.publicKey), true);
  assert.strictEqual(made.verify(crypto.generateKeyPairSync('ml-dsa-44').publicKey), false);
  const ec = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
  assert.strictEqual(made.verify(ec.publicKey), false);
  assert.strictEqual(made.checkPrivateKey(ec.privateKey), false);
  // One bit of what was signed, one of the signature.
  for (const at of [der.indexOf('subject'), der.length - 1000]) {
    const bad = Buffer.from(der);
    bad[at] ^= 1;
    assert.strictEqual(new crypto.X509Certificate(bad).verify(issuer.publicKey), false);
  }
  const pem = `-----BEGIN CERTIFICATE-----\n${der.toString('base64').match(/.{1,64}/g).join('\n')}\n-----END CERTIFICATE-----\n`;
  assert.ok(crypto.createPublicKey(pem).equals(own.publicKey));
}

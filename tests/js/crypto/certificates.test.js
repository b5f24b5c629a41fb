// X509Certificate and SPKAC, with a certificate that openssl(1) made: what it says, whom it fits, and its legacy shape.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');

const pem = `-----BEGIN CERTIFICATE-----
MIICHjCCAcWgAwIBAgIUILnLA7ZO6KvqO5d2++pR5cBqa7UwCgYIKoZIzj0EAwIw
MjELMAkGA1UEBhMCREUxDjAMBgNVBAoMBVJvbmRvMRMwEQYDVQQDDApyb25kby50
ZXN0MCAXDTI2MTExNzAxMzA0MFoYDzIxMjYxMDI0MDEzMDQwWjAyMQswCQYDVQQG
EwJERTEOMAwGA1UECgwFUm9uZG8xEzARBgNVBAMMCnJvbmRvLnRlc3QwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAATbZ5afr3c1pUBv5/bQJ4vRCt07DOZuUA7de97G
Naa616s8o4IDJERWMSyqSUda6jgs70LHDcqrSbETHSfwkSvpo4G2MIGzMB0GA1Ud
DgQWBBQVGHfcKnhDUBaRw3KtZOrTvEtEvzAfBgNVHSMEGDAWgBQVGHfcKnhDUBaR
w3KtZOrTvEtEvzAPBgNVHRMBAf8EBTADAQH/MEsGA1UdEQREMEKCCnJvbmRvLnRl
c3SCDCoucm9uZG8udGVzdIcEfwAAAYEMYUByb25kby50ZXN0hhJodHRwOi8vcm9u
ZG8udGVzdC8wEwYDVR0lBAwwCgYIKwYBBQUHAwEwCgYIKoZIzj0EAwIDRwAwRAIg
W4K3S0woqjMnoMWMQzgZdhieIo5G8xf7heA5xydCPXMCIB5B64lMjIB9ISqqx/7T
ExaPRRQlZro5UYwc/cmYDOLs
-----END CERTIFICATE-----
`;
const privateKey = crypto.createPrivateKey(`-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIFADHJWHIuCwjSJqwzuZcpmt2dWm6rnafdfr1zCHdQWCoAoGCCqGSM49
AwEHoUQDQgAE22eWn693NaVAb+f20CeL0QrdOwzmblAO3XvexjWmuterPKOCAyRE
VjEsqklHWuo4LO9Cxw3Kq0mxEx0n8JEr6Q==
-----END EC PRIVATE KEY-----
`);
const certificate = new crypto.X509Certificate(pem);
assert.strictEqual(certificate.subject, 'C=DE\nO=Rondo\nCN=rondo.test');
assert.strictEqual(certificate.issuer, certificate.subject);
assert.strictEqual(certificate.subjectAltName, 'DNS:rondo.test, DNS:*.rondo.test, IP Address:127.0.0.1, email:a@rondo.test, URI:http://rondo.test/');
assert.strictEqual(certificate.ca, true);
assert.deepStrictEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
assert.strictEqual(certificate.signatureAlgorithm, 'ecdsa-with-SHA256');
assert.strictEqual(certificate.signatureAlgorithmOid, '1.2.840.10045.4.3.2');
assert.strictEqual(certificate.validToDate.getTime() - certificate.validFromDate.getTime(), 36500 * 24 * 3600 * 1000);
assert.strictEqual(new Date(certificate.validTo).getTime(), certificate.validToDate.getTime());
assert.strictEqual(certificate.fingerprint256, crypto.createHash('sha256').update(certificate.raw).digest('hex').toUpperCase().match(/../g).join(':'));
assert.strictEqual(certificate.toString(), pem);
assert.strictEqual(certificate.checkHost('x.rondo.test'), '*.rondo.test');
assert.strictEqual(certificate.checkHost('x.rondo.test', { wildcards: false }), undefined);
assert.strictEqual(certificate.checkHost('else.test'), undefined);
assert.strictEqual(certificate.checkIP('127.0.0.1'), '127.0.0.1');
assert.strictEqual(certificate.checkEmail('a@rondo.test'), 'a@rondo.test');
assert.strictEqual(certificate.checkIssued(certificate), true);
assert.strictEqual(certificate.checkPrivateKey(privateKey), true);
assert.strictEqual(certificate.verify(certificate.publicKey), true);
assert.strictEqual(certificate.verify(crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey), false);
assert.strictEqual(structuredClone(certificate).fingerprint, certificate.fingerprint);
const legacy = certificate.toLegacyObject();
assert.deepStrictEqual({ ...legacy.subject }, { C: 'DE', O: 'Rondo', CN: 'rondo.test' });
assert.strictEqual(legacy.nistCurve, 'P-256');
assert.strictEqual(legacy.bits, 256);
assert.throws(() => new crypto.X509Certificate('no certificate'), /asn1|PEM/i);

const spkac = 'MIIBTTCBtzCBnzANBgkqhkiG9w0BAQEFAAOBjQAwgYkCgYEA1uIWwoDF/jPX0bnAsczqnBDLgkWRbgW2R0g3Onu89DXk/mqyQmqMrItkargjDl/OoOG0jvbJqMi88PGevQLCGhPJZ0v4FFSqh2yE/mAo/ue4KDwjqdQs7I3Qr8RwPGT8M20YddiqSDGfTVirKgGt04UbWBsnyGO00KnPUQFLMKUCAwEAARYTdGhpcyBpcyBhIGNoYWxsZW5nZTANBgkqhkiG9w0BAQQFAAOBgQBlnQ/hErqa3TYIXy3hXQ69IblqCm7PERZ50X+d7OoBt3caDZZ6G10DvmORcgyR7mxwbAoaFbAwcW3J+Fbs0aNP12+FMIZM20BbHB+vI3zrUbLZYXN7rRQUFNGrUjrbeC4UiRsuJSIuARKx96+VbZYT3OBfhWFN84/XJ0icaLVB5Q==';
assert.strictEqual(crypto.Certificate.verifySpkac(spkac), true);
assert.strictEqual(crypto.Certificate.verifySpkac(`${spkac.slice(0, -8)}AAAAAAA=`), false);
assert.strictEqual(crypto.Certificate.exportChallenge(spkac).toString(), 'this is a challenge');
assert.match(crypto.Certificate.exportPublicKey(spkac).toString(), /^-----BEGIN PUBLIC KEY-----/);

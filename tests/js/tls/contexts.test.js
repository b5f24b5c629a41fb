// tls.createSecureContext: what it takes and what it refuses; contexts of clients are shared only where nothing differs.
'use strict';
const assert = require('node:assert');
const tls = require('node:tls');
const { ca, connect, event, listen, pair, read } = require('../../fixtures/tls.js');

const { key, cert } = pair('server');
const encrypted = read('server-key-encrypted.pem');
const refuses = (options, expected) => assert.throws(() => tls.createSecureContext(options), expected);

refuses({ key: 'no key', cert }, { code: 'ERR_OSSL_UNSUPPORTED' });
refuses({ key, cert: 'no certificate' }, { code: 'ERR_OSSL_PEM_NO_START_LINE' });
refuses({ key: pair('other').key, cert }, { code: 'ERR_OSSL_X509_KEY_VALUES_MISMATCH' });
refuses({ key: encrypted, cert }, /bad decrypt|BAD_DECRYPT/i);
refuses({ key: encrypted, cert, passphrase: 'wrong' }, /bad decrypt|BAD_DECRYPT/i);
refuses({ pfx: read('server.pfx'), passphrase: 'wrong' }, { message: 'mac verify failure' });
refuses({ ciphers: 'no-such-cipher' }, { code: 'ERR_SSL_NO_CIPHER_MATCH' });
refuses({ ciphers: ':' }, { code: 'ERR_INVALID_ARG_VALUE' });
refuses({ ecdhCurve: 'no-such-curve' }, { code: 'ERR_CRYPTO_OPERATION_FAILED' });
refuses({ minVersion: 'SSLv3' }, { code: 'ERR_TLS_INVALID_PROTOCOL_VERSION' });
refuses({ secureProtocol: 'SSLv3_method' }, { code: 'ERR_TLS_INVALID_PROTOCOL_METHOD' });
refuses({ secureProtocol: 'TLS_method', minVersion: 'TLSv1.2' }, { code: 'ERR_TLS_PROTOCOL_VERSION_CONFLICT' });
refuses({ crl: 'nothing' }, { code: 'ERR_CRYPTO_OPERATION_FAILED' });
refuses({ ticketKeys: Buffer.alloc(47) }, { code: 'ERR_INVALID_ARG_VALUE' });
refuses({ key: 1 }, { code: 'ERR_INVALID_ARG_TYPE' });
refuses({ clientCertEngine: 'x' }, { code: 'ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED' });

for (const options of [{ key, cert }, { key: encrypted, cert, passphrase: 'sample' }, { key: [{ pem: encrypted, passphrase: 'sample' }], cert: [cert] },
  { pfx: read('server.pfx'), passphrase: 'sample' }, { pfx: [{ buf: read('server.pfx'), passphrase: 'sample' }] }]) {
  assert(tls.createSecureContext(options).context.getCertificate().length > 0);
}
assert(tls.getCiphers().includes('tls_aes_256_gcm_sha384'));
assert.strictEqual(tls.checkServerIdentity('a.example', { subject: {}, subjectaltname: 'DNS:*.example' })?.code, 'ERR_TLS_CERT_ALTNAME_INVALID');
assert.strictEqual(tls.checkServerIdentity('a.b.example', { subject: {}, subjectaltname: 'DNS:*.b.example' }), undefined);
assert.strictEqual(tls.checkServerIdentity('::1', { subject: {}, subjectaltname: 'IP Address:0:0:0:0:0:0:0:1' }), undefined);

async function contextOf(server, options) {
  const client = connect(server, options);
  await event(client, 'secureConnect');
  const { _secureContext: context } = client.ssl;
  client.destroy();
  return context;
}

(async () => {
  const server = await listen({ requestCert: true, rejectUnauthorized: false, ca, crl: read('client-revoked.crl') }, (socket) => {
    socket.on('error', () => {});
    if (socket.getPeerCertificate().subject) assert.strictEqual(socket.authorizationError, 'CERT_REVOKED');
  });
  const first = await contextOf(server, {});
  assert.strictEqual(await contextOf(server, { ca: Buffer.from(ca) }), first);
  assert.notStrictEqual(await contextOf(server, { maxVersion: 'TLSv1.2' }), first);
  assert.notStrictEqual(await contextOf(server, pair('client')), first);
  const trusting = tls.getCACertificates('default');
  tls.setDefaultCACertificates([ca]);
  assert.deepStrictEqual(tls.getCACertificates().length, 1);
  await contextOf(server, { ca: undefined });
  tls.setDefaultCACertificates(trusting);
  const [error] = await event(connect(server, { ca: undefined }), 'error');
  assert.strictEqual(error.code, 'SELF_SIGNED_CERT_IN_CHAIN');  // the server sends the authority it knows
  server.close();
  console.log('ok');
})();

// The pointer to OpenSSL's context is the context's own.
{
  const { context } = require('node:tls').createSecureContext();
  assert.throws(() => Object.create(context)._external, TypeError);
  assert.doesNotThrow(() => context._external);
}

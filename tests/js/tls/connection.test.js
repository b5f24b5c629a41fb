// A connection both ways: who is who, what was agreed on, half-close, and the errors of a peer that is not trusted.
'use strict';
const assert = require('node:assert');
const tls = require('node:tls');
const { ca, connect, event, listen, pair, textOf } = require('../../fixtures/tls.js');

async function exchange(version) {
  const server = await listen({ minVersion: version, maxVersion: version, allowHalfOpen: true }, async (socket) => {
    assert(socket.encrypted && socket instanceof tls.TLSSocket && socket.server === server);
    assert.strictEqual(socket.getProtocol(), version);
    socket.end((await textOf(socket)).toUpperCase());
  });
  const client = connect(server, { allowHalfOpen: true });
  client.write('before the handshake, ');
  await event(client, 'secureConnect');
  assert(client.authorized && client.authorizationError === null);
  assert.strictEqual(client.getCipher().version, version === 'TLSv1.3' ? 'TLSv1.3' : 'TLSv1.2');
  assert.match(client.getEphemeralKeyInfo().type, /^(ECDH|TLSGroup)$/);  // by OpenSSL's version
  assert.deepStrictEqual(client.exportKeyingMaterial(32, 'label').length, 32);
  assert(client.getFinished().length > 0 && client.getPeerFinished().length > 0);
  client.end('after it');
  assert.strictEqual(await textOf(client), 'BEFORE THE HANDSHAKE, AFTER IT');
  server.close();
  await event(server, 'close');
}

async function certificates() {
  const server = await listen({ requestCert: true, rejectUnauthorized: true, ca }, (socket) => {
    assert(socket.authorized);
    assert.strictEqual(socket.getPeerCertificate().subject.CN, 'client');
    socket.end('welcome');
  });
  const client = connect(server, pair('client'));
  assert.strictEqual(await textOf(client), 'welcome');
  const other = connect(server, {});
  const [refused] = await event(server, 'tlsClientError');
  assert.strictEqual(refused.code, 'ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE');
  other.on('error', () => {});
  await event(other, 'close');
  const fetched = connect(server, pair('client'));
  await event(fetched, 'secureConnect');
  const certificate = fetched.getPeerCertificate(true);
  assert.strictEqual(certificate.subjectaltname, 'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
  assert.strictEqual(certificate.nistCurve, 'P-256');
  assert.deepStrictEqual(certificate.ext_key_usage, ['1.3.6.1.5.5.7.3.1']);
  assert.strictEqual(certificate.issuerCertificate.subject.CN, 'Rondo test authority');
  assert.strictEqual(certificate.issuerCertificate.issuerCertificate, certificate.issuerCertificate);
  assert.match(certificate.fingerprint256, /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
  fetched.destroy();
  server.close();
}

async function distrust() {
  const server = await listen({}, (socket) => socket.end());
  const [unknown] = await event(connect(server, { ca: undefined }), 'error');
  assert.strictEqual(unknown.code, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  const [wrongName] = await event(connect(server, { servername: 'elsewhere.example' }), 'error');
  assert.strictEqual(wrongName.code, 'ERR_TLS_CERT_ALTNAME_INVALID');
  assert.strictEqual(wrongName.host, 'elsewhere.example');
  const tolerant = connect(server, { ca: undefined, rejectUnauthorized: false });
  await event(tolerant, 'secureConnect');
  assert(!tolerant.authorized);
  assert.strictEqual(tolerant.authorizationError, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  tolerant.destroy();
  const old = connect(server, { maxVersion: 'TLSv1.1', minVersion: 'TLSv1' });
  const [[seen], [told]] = await Promise.all([event(server, 'tlsClientError'), event(old, 'error')]);
  assert.match(seen.code, /^ERR_SSL_/);
  assert.match(told.code, /^ERR_SSL_/);
  assert.strictEqual(told.library, 'SSL routines');
  server.close();
}

(async () => {
  await exchange('TLSv1.3');
  await exchange('TLSv1.2');
  await certificates();
  await distrust();
  console.log('ok');
})();

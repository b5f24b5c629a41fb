// getPeerX509Certificate() knows who issued the certificate, when the peer has sent that one too; certificates of NODE_EXTRA_CA_CERTS
// end with a line's end.
'use strict';
const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const { X509Certificate } = require('node:crypto');
const path = require('node:path');
const { ca, connect, event, listen, pair } = require('../../fixtures/tls.js');

(async () => {
  const { key, cert } = pair('server');
  const server = await listen({ key, cert: Buffer.concat([cert, Buffer.from('\n'), ca]) }, (socket) => socket.end());
  const socket = connect(server, { checkServerIdentity() {} });
  await event(socket, 'secureConnect');
  const certificate = socket.getPeerX509Certificate();
  assert.ok(certificate.issuerCertificate instanceof X509Certificate);
  assert.strictEqual(certificate.issuerCertificate.fingerprint, new X509Certificate(ca).fingerprint);
  assert.strictEqual(certificate.issuerCertificate.issuerCertificate, undefined);
  assert.strictEqual(certificate.fingerprint, new X509Certificate(cert).fingerprint);
  socket.resume();
  await event(socket, 'close');
  assert.strictEqual(socket.getPeerX509Certificate(), undefined);
  server.close();

  const file = path.join(__dirname, '../../fixtures/tls/ca-cert.pem');
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: file };
  const text = execFileSync(process.execPath, ['-p', 'tls.getCACertificates("extra").join()'], { env, encoding: 'utf8' });
  assert.match(text, /END CERTIFICATE-----\n\n$/);
})();

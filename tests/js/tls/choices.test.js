// What a server chooses by what the client says: contexts by name, protocols, pre-shared keys, OCSP answers.
'use strict';
const assert = require('node:assert');
const tls = require('node:tls');
const { connect, event, listen, pair } = require('../../fixtures/tls.js');

async function nameOf(server, servername) {
  const client = connect(server, { servername, checkServerIdentity: () => undefined });
  await event(client, 'secureConnect');
  const { CN } = client.getPeerCertificate().subject;
  client.destroy();
  return CN;
}

async function names() {
  const server = await listen({}, (socket) => socket.on('error', () => {}));
  server.addContext('other.example', pair('other'));
  server.addContext('*.wild.example', tls.createSecureContext(pair('other')));
  assert.strictEqual(await nameOf(server, 'OTHER.example'), 'other.example');
  assert.strictEqual(await nameOf(server, 'a.wild.example'), 'other.example');
  assert.strictEqual(await nameOf(server, 'a.b.wild.example'), 'localhost');
  assert.strictEqual(await nameOf(server, 'localhost'), 'localhost');
  server.close();
  const asked = [];
  const late = await listen({
    SNICallback(name, callback) {
      asked.push(name);
      if (name === 'broken') setImmediate(callback, new Error('no such host'));
      else setImmediate(callback, null, tls.createSecureContext(pair('other')));
    },
  }, (socket) => socket.on('error', () => {}));
  assert.strictEqual(await nameOf(late, 'anything'), 'other.example');
  const failing = connect(late, { servername: 'broken' });
  const [[seen]] = await Promise.all([event(late, 'tlsClientError'), event(failing, 'error')]);
  assert.strictEqual(seen.message, 'no such host');
  assert.deepStrictEqual(asked, ['anything', 'broken']);
  late.close();
}

async function protocols() {
  const server = await listen({ ALPNProtocols: ['b', 'a'] }, (socket) => socket.on('error', () => {}));
  const client = connect(server, { ALPNProtocols: ['a', 'b'] });
  await event(client, 'secureConnect');
  assert.strictEqual(client.alpnProtocol, 'b');
  client.destroy();
  const plain = connect(server, {});
  await event(plain, 'secureConnect');
  assert.strictEqual(plain.alpnProtocol, false);
  plain.destroy();
  const unfit = connect(server, { ALPNProtocols: ['c'] });
  const [error] = await event(unfit, 'error');
  assert.match(error.code, /^ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL$/);
  server.close();
  const seen = [];
  const choosing = await listen({
    ALPNCallback({ servername, protocols: offered }) {
      seen.push([servername, ...offered]);
      return offered.at(-1);
    },
  }, (socket) => socket.on('error', () => {}));
  const chosen = connect(choosing, { servername: 'localhost', ALPNProtocols: ['x', 'y'] });
  await event(chosen, 'secureConnect');
  assert.strictEqual(chosen.alpnProtocol, 'y');
  assert.deepStrictEqual(seen, [['localhost', 'x', 'y']]);
  chosen.destroy();
  choosing.close();
}

async function preSharedKeys(version) {
  const psk = Buffer.alloc(32, 7);
  const options = { minVersion: version, maxVersion: version, ciphers: 'TLS_AES_128_GCM_SHA256:PSK+HIGH' };
  const server = tls.createServer({
    ...options, pskIdentityHint: 'hint', pskCallback: (socket, identity) => (identity === 'somebody' ? psk : null),
  }, (socket) => socket.end('hello'));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect(server, {
    ...options, ca: undefined, checkServerIdentity: () => undefined, pskCallback: () => ({ psk, identity: 'somebody' }),
  });
  const [piece] = await event(client, 'data');
  assert.strictEqual(String(piece), 'hello');
  assert(client.authorized);
  await event(client, 'close');
  const stranger = connect(server, {
    ...options, ca: undefined, checkServerIdentity: () => undefined, pskCallback: () => ({ psk, identity: 'nobody' }),
  });
  await event(stranger, 'error');
  server.close();
}

async function ocsp() {
  const server = await listen({ maxVersion: 'TLSv1.2' }, (socket) => socket.on('error', () => {}));
  server.on('OCSPRequest', (certificate, issuer, callback) => {
    assert(Buffer.isBuffer(certificate));
    setImmediate(callback, null, Buffer.from('an answer'));
  });
  const client = connect(server, { requestOCSP: true });
  const [response] = await event(client, 'OCSPResponse');
  assert.strictEqual(String(response), 'an answer');
  await event(client, 'secureConnect');
  client.destroy();
  server.close();
}

(async () => {
  await names();
  await protocols();
  await preSharedKeys('TLSv1.3');
  await preSharedKeys('TLSv1.2');
  await ocsp();
  console.log('ok');
})();

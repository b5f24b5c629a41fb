// TLS over what is no socket, TLS inside TLS, and STARTTLS: every byte arrives, in both directions, with back-pressure.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');
const net = require('node:net');
const { duplexPair } = require('node:stream');
const tls = require('node:tls');
const { ca, connect, event, listen, pair } = require('../../fixtures/tls.js');

const size = 3 * 1024 * 1024 + 17;
const bytes = crypto.randomBytes(size);

// Writes pieces of all sizes, waits when it is told to, and ends.
async function pour(stream) {
  for (let at = 0, length = 1; at < size; at += length, length = 1 + (length * 7 + at) % 70000) {
    if (!stream.write(bytes.subarray(at, at + length))) await event(stream, 'drain');
  }
  stream.end();
}

async function digest(stream) {
  const hash = crypto.createHash('sha256');
  let total = 0;
  for await (const piece of stream) {
    hash.update(piece);
    total += piece.length;
  }
  assert.strictEqual(total, size);
  return hash.digest('hex');
}

async function exchange(server, client) {
  const expected = crypto.createHash('sha256').update(bytes).digest('hex');
  const both = await Promise.all([digest(server), digest(client), pour(server), pour(client)]);
  assert.strictEqual(both[0], expected);
  assert.strictEqual(both[1], expected);
}

async function overPair() {
  const [left, right] = duplexPair();
  const server = new tls.TLSSocket(left, { isServer: true, ...pair('server'), allowHalfOpen: true });
  const client = tls.connect({ socket: right, ca, servername: 'localhost', allowHalfOpen: true });
  await Promise.all([event(server, 'secure'), event(client, 'secureConnect')]);
  assert(client.authorized);
  assert.strictEqual(server.servername, 'localhost');
  await exchange(server, client);
}

async function overSocket() {
  const server = await listen({ allowHalfOpen: true });
  const client = connect(server, { allowHalfOpen: true });
  const [accepted] = await event(server, 'secureConnection');
  await exchange(accepted, client);
  server.close();
}

async function insideTls() {
  const outer = await listen({ allowHalfOpen: true });
  const below = connect(outer, { allowHalfOpen: true });
  const [accepted] = await event(outer, 'secureConnection');
  const server = new tls.TLSSocket(accepted, { isServer: true, ...pair('other'), allowHalfOpen: true });
  const client = tls.connect({ socket: below, ca, servername: 'other.example', allowHalfOpen: true });
  await event(client, 'secureConnect');
  assert.strictEqual(client.getPeerCertificate().subject.CN, 'other.example');
  await exchange(server, client);
  outer.close();
}

async function startTls() {
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    socket.once('data', (piece) => {
      assert.strictEqual(String(piece), 'STARTTLS\n');
      socket.write('GO\n');
      const secure = new tls.TLSSocket(socket, { isServer: true, ...pair('server') });
      secure.once('data', (text) => secure.end(`secret: ${text}`));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = net.connect(server.address().port, '127.0.0.1');
  socket.write('STARTTLS\n');
  const [go] = await event(socket, 'data');
  assert.strictEqual(String(go), 'GO\n');
  const client = tls.connect({ socket, ca, servername: 'localhost' });
  client.write('hello');
  const [answer] = await event(client, 'data');
  assert.strictEqual(String(answer), 'secret: hello');
  client.destroy();
  server.close();
}

(async () => {
  await overPair();
  await overSocket();
  await insideTls();
  await startTls();
  console.log('ok');
})();

// Peers that mean no good: garbage, resets in mid-handshake, handshakes that never end, renegotiation without end, floods while the program
// makes up its mind. Each is told once, nothing stays open, and the server still answers.
'use strict';
const assert = require('node:assert');
const net = require('node:net');
const tls = require('node:tls');
const { connect, event, listen, pair, textOf } = require('../../fixtures/tls.js');

const count = 60;
const raw = (server) => net.connect(server.address().port, '127.0.0.1').on('error', () => {});
const stillAnswers = async (server) => assert.strictEqual(await textOf(connect(server, {})), 'fine');

async function settled(server, told) {
  while (told.length < count) await event(server, 'tlsClientError');
  const connections = () => new Promise((resolve) => server.getConnections((error, open) => resolve(open)));
  while (await connections() > 0) await new Promise(setImmediate);
}

async function flood(attack, code) {
  const server = await listen({}, (socket) => socket.end('fine'));
  const told = [];
  server.on('tlsClientError', (error, socket) => {
    told.push(error.code);
    socket.destroy();
  });
  for (let i = 0; i < count; i++) attack(raw(server), i);
  await settled(server, told);
  for (const one of told) assert.match(one, code);
  await stillAnswers(server);
  assert.strictEqual(told.length, count);
  server.close();
  await event(server, 'close');
}

// The first message of a client, as it travels.
function helloBytes() {
  return new Promise((resolve) => {
    const server = net.createServer((socket) => socket.once('data', (bytes) => {
      socket.destroy();
      server.close();
      resolve(bytes);
    }));
    server.listen(0, '127.0.0.1', () => tls.connect(server.address().port, '127.0.0.1').on('error', () => {}));
  });
}

async function neverEnding() {
  const server = await listen({ handshakeTimeout: 50 }, (socket) => socket.end('fine'));
  const told = [];
  server.on('tlsClientError', (error, socket) => {
    told.push(error.code);
    socket.destroy();
  });
  for (let i = 0; i < count; i++) raw(server).on('connect', function begin() { this.write(Buffer.from([22, 3, 1])); });
  await settled(server, told);
  assert(told.every((code) => code === 'ERR_TLS_HANDSHAKE_TIMEOUT'));
  server.close();
}

async function renegotiation() {
  const server = await listen({ maxVersion: 'TLSv1.2' }, () => {});
  const client = connect(server, {});
  client.on('error', () => {});
  const [[socket]] = await Promise.all([event(server, 'secureConnection'), event(client, 'secureConnect')]);
  const attacked = event(socket, 'error');
  socket.on('error', () => socket.destroy());
  let rounds = 0;
  const again = () => client.renegotiate({}, (error) => {
    if (error) return;
    rounds++;
    again();
  });
  again();
  assert.strictEqual((await attacked)[0].code, 'ERR_TLS_SESSION_ATTACK');
  assert(rounds <= tls.CLIENT_RENEG_LIMIT + 1, `${rounds} rounds`);  // as many as in Node
  client.destroy();
  const strict = connect(server, {});
  strict.on('error', () => {});
  const [[other]] = await Promise.all([event(server, 'secureConnection'), event(strict, 'secureConnect')]);
  other.disableRenegotiation();
  strict.renegotiate({}, () => {});
  assert.strictEqual((await event(other, 'error'))[0].code, 'ERR_TLS_RENEGOTIATION_DISABLED');
  other.destroy();
  strict.destroy();
  server.close();
}

// While SNICallback thinks, a client pushes; the server stops taking it.
async function pushing() {
  let answer;
  const server = await listen({ SNICallback: (name, callback) => { answer = callback; } });
  const told = event(server, 'tlsClientError');
  const socket = raw(server);
  const hello = await new Promise((resolve) => {
    const spy = net.createServer((one) => one.once('data', (bytes) => {
      one.destroy();
      spy.close();
      resolve(bytes);
    }));
    spy.listen(0, '127.0.0.1', () => tls.connect({ port: spy.address().port, host: '127.0.0.1', servername: 'localhost' }).on('error', () => {}));
  });
  socket.write(hello);
  const piece = Buffer.alloc(1024 * 1024);
  for (let i = 0; i < 64; i++) socket.write(piece);
  while (answer === undefined) await new Promise(setImmediate);
  for (let i = 0; i < 50; i++) await new Promise(setImmediate);
  assert(socket.writableLength > 16 * piece.length, 'most of it is still with the client');
  answer(new Error('never heard of it'));
  assert.strictEqual((await told)[0].message, 'never heard of it');
  server.close();
  await event(server, 'close');
}

// Closing with handshakes under way: they come to an end, then 'close' follows.
async function closing() {
  const server = await listen({}, (socket) => socket.end('fine'));
  server.on('tlsClientError', () => {});
  const clients = [];
  for (let i = 0; i < 20; i++) clients.push(connect(server, {}));
  const ends = clients.map((client) => new Promise((resolve) => {
    client.on('error', () => {});
    client.resume().on('close', resolve);
  }));
  await event(server, 'connection');
  server.close();
  await Promise.all([event(server, 'close'), ...ends]);
}

(async () => {
  const hello = await helloBytes();
  await flood((socket) => socket.end('GET / HTTP/1.1\r\n\r\n'), /^ERR_SSL_HTTP_REQUEST$/);
  await flood((socket, i) => socket.end(Buffer.alloc(40, 128 + i)), /^ERR_SSL_/);
  await flood((socket, i) => {
    socket.write(hello.subarray(0, 1 + i % (hello.length - 1)));
    socket.once('connect', () => setImmediate(() => socket.resetAndDestroy()));
  }, /^ECONNRESET$/);
  await flood((socket) => {
    socket.write(hello);
    socket.once('data', () => socket.resetAndDestroy());
  }, /^ECONNRESET$/);
  await neverEnding();
  await renegotiation();
  await pushing();
  await closing();
  console.log('ok');
})();

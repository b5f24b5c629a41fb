'use strict';
// Servers that cannot be used: none there, one that speaks something else, wrong credentials, refused certificates, no JetStream, a message over the limit.
const assert = require('node:assert');
const net = require('node:net');
const path = require('node:path');
const { complete, freePort, hasNats, startNats, until } = require('../../fixtures/mesh');
const { connect } = require('rondo:mesh');

function listen(onConnection) {
  return new Promise((resolve) => {
    const server = net.createServer(onConnection);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

// No nats-server is needed for these.
async function strangers() {
  await assert.rejects(connect({ servers: `nats://127.0.0.1:${await freePort()}` }), { code: 'ERR_MESH_CONNECT', message: /ECONNREFUSED/ });
  for (const bad of ['http://x', 'nats://', 'nats://a:b:c', '']) await assert.rejects(connect({ servers: bad }), { code: 'ERR_MESH_CONNECT' });
  await assert.rejects(connect({ servers: 5 }), { code: 'ERR_INVALID_ARG_TYPE' });
  await assert.rejects(connect({ servers: 'x', storage: 'y' }), { code: 'ERR_MESH_STORAGE' });
  await assert.rejects(connect({ servers: 'nats://x', nkey: 'SUbad' }), { code: 'ERR_MESH_CREDENTIALS' });
  await assert.rejects(connect({ servers: 'nats://x', credentials: '/nowhere' }), { code: 'ERR_MESH_CREDENTIALS' });
  await assert.rejects(connect({ servers: 'nats://x', credentials: __filename }), { code: 'ERR_MESH_CREDENTIALS' });

  const info = 'INFO {"headers":true,"max_payload":1048576}\r\n';
  const cases = [
    ['SSH-2.0-OpenSSH\r\n', 'ERR_MESH_PROTOCOL'],
    ['INFO {broken\r\n', 'ERR_MESH_PROTOCOL'],
    ['INFO {"headers":false}\r\n', 'ERR_MESH_SERVER'],
    [`${info}MSG a 1 1073741824\r\n`, 'ERR_MESH_PROTOCOL'],
    [`${info}MSG a 1 -5\r\n`, 'ERR_MESH_PROTOCOL'],
    [`${info}HMSG a 1 50 10\r\n`, 'ERR_MESH_PROTOCOL'],
    [`${info}MSG a\r\n`, 'ERR_MESH_PROTOCOL'],
    [`${info}MSG a 1 2\r\nabcd\r\n`, 'ERR_MESH_PROTOCOL'],
    [`${info}-ERR 'Authorization Violation'\r\n`, 'ERR_MESH_AUTH'],
    [`${info}-ERR 'maximum connections exceeded'\r\n`, 'ERR_MESH_SERVER'],
    ['x'.repeat(2 << 20), 'ERR_MESH_PROTOCOL'],
  ];
  for (const [text, code] of cases) {
    const server = await listen((socket) => socket.on('error', () => {}).write(text));
    await assert.rejects(connect({ servers: `127.0.0.1:${server.address().port}` }), { code }, text.slice(0, 60));
    server.close();
  }
  const silent = await listen((socket) => socket.on('error', () => {}));
  await assert.rejects(connect({ servers: `127.0.0.1:${silent.address().port}`, timeout: 50 }), { code: 'ERR_MESH_CONNECT', message: /50 ms/ });
  silent.close();
  // Several servers: each is tried.
  const ports = [await freePort(), await freePort()];
  const error = await connect({ servers: ports.map((port) => `127.0.0.1:${port}`) }).catch((thrown) => thrown);
  for (const port of ports) assert.ok(error.message.includes(`:${port}`), error.message);
}

async function credentials() {
  const server = await startNats({ config: 'authorization { user: ada, password: "p@ss" }' });
  await assert.rejects(connect({ servers: server.url }), { code: 'ERR_MESH_AUTH' });
  await assert.rejects(connect({ servers: server.url, user: 'ada', password: 'no' }), { code: 'ERR_MESH_AUTH' });
  await (await connect({ servers: server.url, user: 'ada', password: 'p@ss' })).close();
  await (await connect({ servers: `nats://ada:p%40ss@127.0.0.1:${server.port}` })).close();
  await server.stop();
  const tokens = await startNats({ config: 'authorization { token: "secret" }' });
  await (await connect({ servers: `nats://secret@127.0.0.1:${tokens.port}` })).close();
  await (await connect({ servers: tokens.url, token: 'secret' })).close();
  await assert.rejects(connect({ servers: tokens.url, token: 'other' }), { code: 'ERR_MESH_AUTH' });
  await tokens.stop();

  // An NKey: the public half in the server's configuration, a key of another is refused.
  const user = 'UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4';
  const seed = 'SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY';
  const keys = await startNats({ config: `authorization { users: [ { nkey: ${user} } ] }` });
  await (await connect({ servers: keys.url, nkey: seed })).close();
  await assert.rejects(connect({ servers: keys.url, nkey: `${seed.slice(0, -1)}A` }), { code: 'ERR_MESH_CREDENTIALS' });
  await assert.rejects(connect({ servers: keys.url }), { code: 'ERR_MESH_AUTH' });
  await keys.stop();
}

async function certificates() {
  const folder = path.join(__dirname, '../../fixtures/tls');
  const [cert, key] = ['server-cert.pem', 'server-key.pem'].map((name) => path.join(folder, name));
  const server = await startNats({ config: `tls { cert_file: "${cert}", key_file: "${key}" }` });
  await assert.rejects(connect({ servers: server.url }), { code: 'ERR_MESH_TLS' });
  const mesh = await connect({ servers: server.url, tls: { rejectUnauthorized: false } });
  await mesh.serve('echo', (value) => value);
  assert.strictEqual(await mesh.call('echo', 'secret'), 'secret');
  await mesh.close();
  await server.stop();
  const plain = await startNats();
  await assert.rejects(connect({ servers: plain.url, tls: true }), { code: 'ERR_MESH_TLS', message: /no TLS/ });
  await plain.stop();
}

async function limits() {
  const plain = await startNats({ jetstream: false, config: 'max_payload: 2048' });
  const mesh = await connect({ servers: plain.url });
  await mesh.serve('echo', (value) => value);
  assert.strictEqual(await mesh.call('echo', 1), 1);
  for (const use of [() => mesh.queue('q').push(1), () => mesh.store('s').get('k'), () => mesh.lock('l', () => {}), () => mesh.peers()]) {
    await assert.rejects(use(), { code: 'ERR_MESH_NO_JETSTREAM' });
  }
  const large = 'x'.repeat(5000);
  await assert.rejects(mesh.call('echo', large), { code: 'ERR_MESH_TOO_LARGE' });
  assert.throws(() => mesh.channel('c').postMessage(large), { code: 'ERR_MESH_TOO_LARGE' });
  assert.throws(() => mesh.channel('c').postMessage('x'.repeat(300_000)), { code: 'ERR_MESH_TOO_LARGE' });
  await mesh.serve('grow', () => large);
  await assert.rejects(mesh.call('grow'), { code: 'ERR_MESH_TOO_LARGE' });
  assert.strictEqual(await mesh.call('echo', 'still here'), 'still here');
  await mesh.close();
  await plain.stop();
}

// A server that goes and comes: silent at first, then an event; what was subscribed and pushed goes on.
async function comesBack() {
  const server = await startNats();
  const mesh = await connect({ servers: server.url, silence: 100 });
  const events = [];
  mesh.on('disconnected', (error) => events.push(error.code));
  mesh.on('connected', () => events.push('connected'));
  await mesh.serve('echo', (value) => value);
  const queue = mesh.queue('kept');
  await queue.push('before');
  await server.kill();
  await until(() => events.length === 1);
  const pushed = queue.push('meanwhile');
  await server.start();
  await pushed;
  await until(() => events.length === 2);
  assert.deepStrictEqual(events, ['ERR_MESH_DISCONNECTED', 'connected']);
  assert.strictEqual(await mesh.call('echo', 2), 2);
  const seen = [];
  for await (const job of queue.work()) {
    seen.push(job.value);
    await job.done();
    if (seen.length === 2) break;
  }
  assert.deepStrictEqual(seen, ['before', 'meanwhile']);
  await mesh.close();
  await server.stop();
}

// A server that ends the connection with a word: requests that wait are made again on the next connection.
async function staleConnection() {
  let connections = 0;
  const server = await listen((socket) => {
    const isFirst = connections++ === 0;
    socket.on('error', () => {});
    socket.write('INFO {"headers":true,"jetstream":true,"max_payload":1048576}\r\n');
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      if (text.includes('PING')) socket.write('PONG\r\n');
      const asked = /PUB \$JS\.API\.STREAM\.INFO\.RONDO_Q_jobs (\S+)/.exec(text);
      if (asked === null) return;
      if (isFirst) return socket.write("-ERR 'Stale Connection'\r\n");
      const answer = JSON.stringify({ error: { code: 400, err_code: 1, description: 'the second connection' } });
      socket.write(`MSG ${asked[1]} 1 ${answer.length}\r\n${answer}\r\n`);
    });
  });
  const mesh = await connect({ servers: `127.0.0.1:${server.address().port}` });
  await assert.rejects(mesh.queue('jobs').push(1), /the second connection/);
  assert.strictEqual(connections, 2);
  await mesh.close();
  server.close();
}

complete(async () => {
  await strangers();
  await staleConnection();
  if (!hasNats) return console.log('skipped: nats-server is not installed');
  await Promise.all([credentials(), certificates(), limits(), comesBack()]);
});

// TLS throughput and handshakes on loopback, server and client in one process. Runs on Node as well:
//   rondo bench/js/tls.js        node bench/js/tls.js
// A row: name, operations (or MB) a second of CPU time of this process.
'use strict';
const { connect, event, listen } = require('../../tests/fixtures/tls.js');

const seconds = 1.5;
const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
const show = (name, count, unit, start) => console.log(`${name.padEnd(28)} ${(count / (cpu() - start)).toFixed(0).padStart(8)} ${unit}`);

async function bulk(name, size, options) {
  const server = await listen(options, (socket) => socket.resume().on('error', () => {}));
  const client = connect(server, options);
  await event(client, 'secureConnect');
  const chunk = Buffer.alloc(size, 'x');
  const start = cpu();
  const end = Date.now() + seconds * 1000;
  let bytes = 0;
  while (Date.now() < end) {
    bytes += size;
    if (!client.write(chunk)) await event(client, 'drain');
  }
  show(name, bytes / 1e6, 'MB/s', start);
  client.destroy();
  server.close();
}

async function pingPong(name, size) {
  const server = await listen({}, (socket) => socket.on('data', (piece) => socket.write(piece)).on('error', () => {}));
  const client = connect(server, {});
  await event(client, 'secureConnect');
  const message = Buffer.alloc(size, 'x');
  const start = cpu();
  const end = Date.now() + seconds * 1000;
  let rounds = 0;
  await new Promise((resolve) => {
    client.on('data', () => {
      rounds++;
      if (rounds % 64 === 0 && Date.now() > end) resolve();
      else client.write(message);
    });
    client.write(message);
  });
  show(name, rounds, 'rounds/s', start);
  client.destroy();
  server.close();
}

async function handshakes(name, options) {
  const server = await listen({}, (socket) => socket.end().on('error', () => {}).resume());
  const start = cpu();
  const end = Date.now() + seconds * 1000;
  let count = 0;
  let session;
  while (Date.now() < end) {
    const client = connect(server, { servername: 'localhost', ...options, session: options.resume ? session : undefined });
    if (options.resume) client.on('session', (made) => { session = made; });
    client.resume();
    await event(client, 'close');
    count++;
  }
  show(name, count, '/s', start);
  server.close();
}

(async () => {
  const groups = { ecdhCurve: 'X25519' };  // the same work whatever OpenSSL prefers
  await bulk('bulk 64 KiB', 65536, {});
  await bulk('bulk 1 KiB', 1024, {});
  await bulk('bulk 64 KiB, TLS 1.2', 65536, { maxVersion: 'TLSv1.2' });
  await pingPong('ping-pong 64 B', 64);
  await handshakes('handshakes', groups);
  await handshakes('handshakes, resumed', { ...groups, resume: true });
})();

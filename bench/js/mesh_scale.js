'use strict';
// How the cost of a message grows with the number of peers, over a NATS server of its own on loopback (nats-server must be installed):
//   rondo bench/js/mesh_scale.js processes 1 4 16 64     a channel with a reader in each of so many processes: CPU of the sender for a message, of the readers
//                                                        and of the server for each delivery
//   rondo bench/js/mesh_scale.js peers 10 100 1000       so many connections: time to join and to list all, CPU of the server while nothing else happens,
//                                                        a lock that all of them want
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const { once } = require('node:events');
const { setTimeout: sleep } = require('node:timers/promises');
const { connect } = require('rondo:mesh');
const { startNats } = require('../../tests/fixtures/mesh');

const kMessages = 20_000;
const kIdleSeconds = 10;
const value = (id) => ({ id, text: 'a short text', values: [1, 2.5, true] });
const pad = (text, size) => String(text).padStart(size);

// User and system time in µs.
function cpuOf(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

// A process that counts the messages of a channel, and says so when all have come.
async function reader() {
  const mesh = await connect({ servers: process.argv[3] });
  const news = mesh.channel('news');
  const done = mesh.channel('done');
  let count = 0;
  news.onmessage = () => {
    if (++count % kMessages === 0) done.postMessage(process.cpuUsage());
  };
  await mesh.flush();
  process.send('listens');
  process.on('message', () => process.exit(0));
}

async function measureProcesses(server, count) {
  const readers = Array.from({ length: count }, () => spawn(process.execPath, [__filename, 'reader', server.url], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }));
  await Promise.all(readers.map((child) => once(child, 'message')));
  const mesh = await connect({ servers: server.url });
  const news = mesh.channel('news');
  const done = mesh.channel('done');
  let waiting = count;
  const all = new Promise((resolve) => {
    done.onmessage = () => --waiting === 0 && resolve();
  });
  await mesh.flush();
  const before = { own: process.cpuUsage(), server: cpuOf(server.child.pid), readers: readers.map(({ pid }) => cpuOf(pid)) };
  const began = performance.now();
  for (let id = 0; id < kMessages; id++) {
    news.postMessage(value(id));
    if (id % 500 === 499) await mesh.flush();
  }
  const own = process.cpuUsage(before.own);
  await all;
  const ms = performance.now() - began;
  const deliveries = kMessages * count;
  const inReaders = readers.reduce((sum, { pid }, i) => sum + cpuOf(pid) - before.readers[i], 0);
  const row = [count, (own.user + own.system) / kMessages, inReaders / deliveries, (cpuOf(server.child.pid) - before.server) / deliveries, (deliveries / ms) * 1000];
  console.log(`${pad(row[0], 9)} ${pad(row[1].toFixed(2), 8)} ${pad(row[2].toFixed(2), 8)} ${pad(row[3].toFixed(2), 8)} ${pad(Math.round(row[4]), 14)}`);
  for (const child of readers) child.send('end');
  await Promise.all(readers.map((child) => once(child, 'exit')));
  await mesh.close();
}

async function measurePeers(server, count) {
  const began = performance.now();
  const meshes = [];
  for (let i = 0; i < count; i += 50) {
    meshes.push(...(await Promise.all(Array.from({ length: Math.min(50, count - i) }, () => connect({ servers: server.url })))));
  }
  let found = 0;
  while (found < count) found = (await meshes[0].peers()).length;
  const joined = performance.now() - began;
  const listing = performance.now();
  await meshes[0].peers();
  const listed = performance.now() - listing;
  const before = [cpuOf(server.child.pid), process.cpuUsage()];
  await sleep(kIdleSeconds * 1000);
  const own = process.cpuUsage(before[1]);
  const serverIdle = (cpuOf(server.child.pid) - before[0]) / kIdleSeconds / 10_000;
  const ownIdle = (own.user + own.system) / kIdleSeconds / 10_000;
  const locking = performance.now();
  await Promise.all(meshes.map((mesh) => mesh.lock('only', async () => {})));
  const locked = (performance.now() - locking) / count;
  console.log(
    `${pad(count, 9)} ${pad((joined / 1000).toFixed(2), 8)} ${pad(listed.toFixed(1), 8)} ${pad(serverIdle.toFixed(1), 8)} ${pad(ownIdle.toFixed(1), 8)} ${pad(locked.toFixed(1), 8)}`,
  );
  await Promise.all(meshes.map((mesh) => mesh.close()));
}

async function main() {
  const [mode, ...counts] = process.argv.slice(2);
  if (mode === 'reader') return reader();
  if (mode !== 'processes' && mode !== 'peers') throw new Error('usage: mesh_scale.js processes|peers COUNT…');
  const server = await startNats({ config: 'max_connections: 4096' });
  console.log(
    mode === 'processes'
      ? 'processes   sender  readers   server   deliveries/s   (µs of CPU: a message, a delivery, a delivery)'
      : '    peers   join s  list ms  server %  peers %  lock ms   (% of a processor while idle; ms for each that wants the lock)',
  );
  for (const count of counts) await (mode === 'processes' ? measureProcesses : measurePeers)(server, Number(count));
  await server.stop();
  process.exit(0);
}
main();

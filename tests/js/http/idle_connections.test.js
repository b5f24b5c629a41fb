// skip-asan: ten thousand connections.
// Ten thousand clients that keep their connections open: each is answered, costs little memory (docs/http.md), is answered again, and
// leaves nothing behind. The clients are a second process: one has not descriptors enough for both sides.
'use strict';
const assert = require('node:assert');
const { fork } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const net = require('node:net');
const { once } = require('node:events');

const descriptors = Number(/Max open files\s+(\d+)/.exec(fs.readFileSync('/proc/self/limits', 'utf8'))[1]);
const count = Math.min(10_000, descriptors - 200);
const kMostBytes = 12 * 1024;  // of an idle connection
const request = 'GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: somebody\r\nAccept: */*\r\n\r\n';

// The clients: all connect, few at a time; then all ask once for each message of the server's, and say when they have their answers.
function clients(port) {
  const sockets = [];
  let answers = 0;
  const open = () => {
    if (sockets.length === count) return;
    const socket = net.connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', (error) => { throw error; });
    socket.on('data', (piece) => {
      assert.match(`${piece}`, /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nhere$/);
      if (++answers % count === 0) process.send(answers);
      else if (sockets.length < count) open();
    });
    socket.write(request);
  };
  for (let i = 0; i < 100; i++) open();
  process.on('message', () => { for (const socket of sockets) socket.write(request); });
}

const memory = () => {
  globalThis.gc?.();
  return process.memoryUsage().rss;
};

async function serve() {
  let served = 0;
  const server = http.createServer({ keepAliveTimeout: 0 }, (req, res) => { served++; res.end('here'); });
  const connections = () => new Promise((resolve, reject) => server.getConnections((error, open) => (error ? reject(error) : resolve(open))));
  await once(server.listen(0, '127.0.0.1', 2000), 'listening');
  const before = memory();
  const files = fs.readdirSync('/proc/self/fd').length;
  const child = fork(__filename, [server.address().port], { execArgv: [] });
  assert.deepStrictEqual((await once(child, 'message'))[0], count);
  assert.strictEqual(await connections(), count);
  assert.strictEqual(served, count);
  const each = (memory() - before) / count;
  assert(each < kMostBytes, `${each} bytes a connection`);
  child.send('again');
  assert.deepStrictEqual((await once(child, 'message'))[0], 2 * count);
  assert.strictEqual(served, 2 * count);
  if (process.env.RONDO_SAY) console.log(`${count} connections, ${Math.round(each)} bytes each`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  while (await connections() > 0) await new Promise(setImmediate);
  while (fs.readdirSync('/proc/self/fd').length > files) await new Promise(setImmediate);
  server.close();
}

if (process.argv[2]) clients(Number(process.argv[2]));
else serve();

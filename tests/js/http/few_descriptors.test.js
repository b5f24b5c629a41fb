// A server that has no descriptors left (EMFILE): it goes on, keeps the clients it has, turns others away, and serves new ones when
// there is room again. A client without a descriptor hears of it once.
'use strict';
const assert = require('node:assert');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const net = require('node:net');
const { once } = require('node:events');

const kClients = 80;
const kDescriptors = 40;

// In the process with few descriptors.
function few() {
  const server = http.createServer((req, res) => {
    if (req.url !== '/ask') return res.end('here');
    const held = [];
    try { for (;;) held.push(fs.openSync('/dev/null')); } catch { /* none is left */ }
    let reports = 0;
    http.get({ port: server.address().port, host: '127.0.0.1', agent: false }).on('error', (error) => {
      reports++;
      setImmediate(() => {
        for (const file of held) fs.closeSync(file);
        res.end(`${error.code} ${reports}`);
      });
    });
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
}

const answer = (socket) => new Promise((resolve) => {
  let got = '';
  socket.on('data', (piece) => { got += piece; if (got.endsWith('here')) resolve('served'); });
  socket.on('error', () => resolve('turned away')).on('close', () => resolve('turned away'));
});
const ask = (port, path) => new Promise((resolve, reject) => {
  http.get({ port, host: '127.0.0.1', path, agent: false }, async (res) => {
    let text = '';
    for await (const piece of res) text += piece;
    resolve(text);
  }).on('error', reject);
});

// All clients at once, each of which stays: as many as there is room for are served, the others turned away at once.
async function crowd(port) {
  const sockets = Array.from({ length: kClients }, () => net.connect(port, '127.0.0.1'));
  const ends = await Promise.all(sockets.map((socket) => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    return answer(socket);
  }));
  const served = ends.filter((end) => end === 'served').length;
  assert(served >= 10 && served <= kDescriptors, `${served} were served`);
  for (const socket of sockets) socket.destroy();
}

async function run() {
  const child = spawn('/bin/sh', ['-c', `ulimit -n ${kDescriptors}; exec "$0" "$@"`, process.execPath, __filename, 'few'],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [port] = await once(child, 'message');
  for (let i = 0; i < 3; i++) {
    await crowd(port);
    // Soon there is room again.
    while (await ask(port, '/').catch(() => '') !== 'here') await new Promise(setImmediate);
  }
  assert.strictEqual(await ask(port, '/ask'), 'EMFILE 1');
  assert.strictEqual(await ask(port, '/'), 'here');
  child.disconnect();
  child.kill();
}

if (process.argv[2] === 'few') few();
else run();

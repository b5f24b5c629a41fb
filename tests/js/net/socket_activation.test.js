// A service manager that listens itself (systemd's LISTEN_FDS, descriptor 3): the server takes the socket over; connections that came before
// it was there are answered; a second start on the same socket answers the next ones, and in between none is refused (docs/deploy.md).
'use strict';
const assert = require('node:assert');
const http = require('node:http');
const readline = require('node:readline');
const { spawn } = require('node:child_process');

const server = `
  const http = require('node:http');
  const server = http.createServer((request, response) => response.end(process.env.LISTEN_FDS + ' ' + request.url));
  server.listen({ fd: 3 }, () => console.log(process.pid));
  process.on('SIGTERM', () => server.close());
`;
// Its loop stands still while a server runs and between two of them, so it accepts nothing.
const manager = `
  const { spawnSync } = require('node:child_process');
  const listener = require('node:net').createServer(() => process.exit(9));
  listener.listen(0, '127.0.0.1', () => {
    console.log(listener.address().port);
    const stdio = ['ignore', 'inherit', 'inherit', listener._handle.fd];
    const env = { ...process.env, LISTEN_FDS: '1' };
    for (let round = 0; round < 2; round++) {
      const { status } = spawnSync(process.execPath, ['-e', ${JSON.stringify(server)}], { stdio, env });
      console.log(status);
    }
    listener.close();
  });
`;

function get(port, path) {
  return new Promise((resolve, reject) => {
    http.get({ port, host: '127.0.0.1', path, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => (text += piece)).on('end', () => resolve(text));
    }).on('error', reject);
  });
}

async function main() {
  const child = spawn(process.execPath, ['-e', manager], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const number = async () => Number((await lines.next()).value);
  const port = await number();
  for (const path of ['/first', '/second']) {
    const answer = get(port, path);
    const pid = await number();
    assert.strictEqual(await answer, `1 ${path}`);
    process.kill(pid, 'SIGTERM');
    assert.strictEqual(await number(), 0);
  }
  assert.strictEqual(await ended, 0);
}
main();

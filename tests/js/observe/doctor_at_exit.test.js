'use strict';
// The doctor's search for promises that nobody can settle any more passes the exit code through: it collects garbage while requests are open,
// which ended some programs ("block is free-listed").
const assert = require('node:assert');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');

const kProgram = `
const http = require('node:http');
const { scrypt } = require('node:crypto');
const derive = require('node:util').promisify(scrypt);
async function login(user) {
  return (await derive(user, 'salt', 64, { N: 8192, maxmem: 1 << 27 })).toString('hex');
}
const server = http.createServer(async (request, response) => response.end(await login('someone'))).listen(0, '127.0.0.1', () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  let answers = 0;
  const ask = () =>
    http.get({ port: server.address().port, agent }, (response) => {
      response.resume().on('end', () => (++answers === 40 ? process.exit(3) : ask()));
    });
  for (let i = 0; i < 4; i++) ask();
});`;

test('a server that exits among requests keeps its exit code', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-doctor-'));
  const file = path.join(folder, 'server.js');
  fs.writeFileSync(file, kProgram);
  for (let round = 0; round < 3; round++) {
    const [code, signal, stderr] = await new Promise((resolve) => {
      execFile(process.execPath, ['doctor', '--json', file], (error, stdout, text) => resolve([error?.code, error?.signal ?? null, text]));
    });
    assert.deepStrictEqual([code, signal], [3, null], stderr.slice(-500));
  }
  fs.rmSync(folder, { recursive: true });
});

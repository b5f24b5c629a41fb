// tar: an archive made, listed, unpacked and read by the system's own tar; gzip and brotli; links, modes, long names; over a socket.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
const { execFileSync } = require('node:child_process');
const { once } = require('node:events');
const { pipeline } = require('node:stream/promises');
const tar = require('tar');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-tar-'));
const at = (...parts) => path.join(folder, ...parts);
const longName = `${'long'.repeat(40)}.txt`;
const big = crypto.randomBytes(3_000_000);

fs.mkdirSync(at('from', 'inner'), { recursive: true });
fs.writeFileSync(at('from', 'a.txt'), 'a', { mode: 0o640 });
fs.writeFileSync(at('from', 'inner', longName), 'long');
fs.writeFileSync(at('from', 'inner', 'big.bin'), big);
fs.symlinkSync('a.txt', at('from', 'link'));

function checkTree(name) {
  assert.strictEqual(fs.readFileSync(at(name, 'from', 'a.txt'), 'utf8'), 'a');
  assert.strictEqual(fs.statSync(at(name, 'from', 'a.txt')).mode & 0o777, 0o640);
  assert.strictEqual(fs.readFileSync(at(name, 'from', 'inner', longName), 'utf8'), 'long');
  assert.ok(fs.readFileSync(at(name, 'from', 'inner', 'big.bin')).equals(big));
  assert.strictEqual(fs.readlinkSync(at(name, 'from', 'link')), 'a.txt');
}

(async () => {
  for (const options of [{ gzip: true }, { brotli: true }, {}]) {
    const [kind = 'plain'] = Object.keys(options);
    const file = at(`${kind}.tar`);
    await tar.create({ cwd: folder, file, ...options }, ['from']);
    const names = [];
    await tar.list({ file, onReadEntry: (entry) => names.push(entry.path), ...(kind === 'brotli' ? options : {}) });
    assert.deepStrictEqual(names.sort(), ['from/', 'from/a.txt', 'from/inner/', 'from/inner/big.bin', `from/inner/${longName}`, 'from/link']);
    fs.mkdirSync(at(kind));
    await tar.extract({ cwd: at(kind), file, ...(kind === 'brotli' ? options : {}) });
    checkTree(kind);
  }
  fs.mkdirSync(at('system'));
  execFileSync('tar', ['-xzf', at('gzip.tar'), '-C', at('system')]);
  checkTree('system');

  const server = http.createServer((request, response) => { tar.create({ cwd: folder, gzip: true }, ['from']).pipe(response); });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const [response] = await once(http.get({ port: server.address().port, host: '127.0.0.1', agent: false }), 'response');
  fs.mkdirSync(at('served'));
  await pipeline(response, tar.extract({ cwd: at('served') }));
  checkTree('served');
  server.close();
  fs.rmSync(folder, { recursive: true });
})();

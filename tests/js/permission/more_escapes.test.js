// Further ways out of --permission (tests/fixtures/permission/more_attempts.js). None of them gets anything, and nothing in the folder that is not granted changes;
// without the option many do, so that the list means something.
'use strict';

const assert = require('assert');
const { execFile, spawnSync } = require('child_process');
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');

const fixture = path.join(__dirname, '../../fixtures/permission/more_attempts.js');
const certificate = fs.readFileSync(path.join(__dirname, '../../fixtures/tls/ca-cert.pem'));

function makeWorld(port, more) {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ways')));
  const [own, readable, secretFolder] = ['own', 'readable', 'secret'].map((name) => path.join(root, name));
  for (const folder of [own, readable, secretFolder]) fs.mkdirSync(folder);
  const secret = path.join(secretFolder, 'secret.js');
  fs.writeFileSync(secret, 'module.exports = "SECRET";\n');
  fs.writeFileSync(path.join(secretFolder, 'only here'), '');
  fs.writeFileSync(path.join(secretFolder, 'map.json'), '{"version":3,"sources":["SECRET"],"sourcesContent":["SECRET"],"mappings":"AAAA"}');
  fs.writeFileSync(path.join(secretFolder, 'package.json'), '{"main":"secret.js","name":"SECRET"}');
  fs.writeFileSync(path.join(secretFolder, 'empty.wasm'), Buffer.from([0, 97, 115, 109, 1, 0, 0, 0]));
  fs.writeFileSync(path.join(secretFolder, 'certificate.pem'), certificate);
  const made = new (require('node:sqlite').DatabaseSync)(path.join(secretFolder, 'data.db'));
  made.exec("CREATE TABLE t (a); INSERT INTO t VALUES ('SECRET')");
  made.close();
  fs.writeFileSync(path.join(readable, 'file'), 'may be read');
  fs.symlinkSync(secret, path.join(own, 'link'));
  for (let i = 0; i < 6; i++) fs.symlinkSync(secret, path.join(own, `deep${i}`));
  fs.symlinkSync(secretFolder, path.join(own, 'folder'));
  fs.symlinkSync(path.join(secretFolder, 'data.db'), path.join(own, 'linked.db'));
  return { root, own, readable, secretFolder, port, ...more };
}
const contents = (folder) => fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  .map((entry) => [entry.name, fs.statSync(path.join(entry.parentPath, entry.name)).mtimeMs, fs.readFileSync(path.join(entry.parentPath, entry.name), 'latin1')]).sort();

// Names in it are longer than a path may be.
const remove = ({ root }) => spawnSync('rm', ['-rf', root]);

function attempts(world, options) {
  const env = { ...process.env, WORLD: JSON.stringify(world), UV_THREADPOOL_SIZE: '1', RONDO_FS: 'pool', RONDO_POLLER: 'epoll' };
  for (const name of ['NODE_OPTIONS', 'SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS']) delete env[name];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['--no-warnings', '--inspect-port=127.0.0.1:0', ...options, fixture], { env, cwd: world.root, encoding: 'utf8', maxBuffer: 1 << 24 }, (error, stdout, stderr) => {
      const line = stdout.trim().split('\n').at(-1);
      if (!line.startsWith('[')) reject(error ?? new Error(stderr + stdout));
      else resolve(JSON.parse(line));
    });
  });
}

async function enforced(port, group, more, least) {
  const world = makeWorld(port, { group });
  const before = [contents(world.secretFolder), contents(world.readable)];
  const results = await attempts(world, ['--permission', `--allow-fs-read=${world.readable}`, `--allow-fs-read=${world.own}`, `--allow-fs-write=${world.own}`, ...more]);
  if (process.env.SHOW) console.log(results.map((row) => row.join(' → ')).join('\n'));
  assert.deepStrictEqual(results.filter((row) => row[1] === 'done'), []);
  assert.ok(results.length >= least, `${results.length} attempts`);
  assert.deepStrictEqual([contents(world.secretFolder), contents(world.readable)], before);
  remove(world);
}

async function unrestricted(port, group, least) {
  const world = makeWorld(port, { group, isControl: true });
  const results = await attempts(world, []);
  if (process.env.SHOW) console.log(results.map((row) => row.join(' → ')).join('\n'));
  const done = results.filter((row) => row[1] === 'done').length;
  assert.ok(done >= least, `only ${done} attempts work without the option`);
  remove(world);
}

const server = net.createServer((socket) => socket.on('error', () => {}).end()).listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  await enforced(port, 'all', [], 120);
  await enforced(port, 'granted', ['--allow-worker', '--allow-wasi'], 25);
  await unrestricted(port, 'all', 60);
  await unrestricted(port, 'granted', 10);
  server.close();
});

// npm itself, run by Rondo through a link named node: installs a small tree (dependencies of dependencies, a scope, a bin, a script of
// its own) from a registry on loopback that this file is, then runs a script and installs again from the lock file.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
const { execFile, execFileSync } = require('node:child_process');
const { once } = require('node:events');

const found = execFileSync('sh', ['-c', 'command -v npm']).toString().trim();
const npm = fs.realpathSync(found);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-npm-'));
const at = (...parts) => path.join(folder, ...parts);
const asked = [];
let port;

function pack(name, version, fields, files) {
  const place = at('made', name.replace('/', '+'), 'package');
  fs.mkdirSync(place, { recursive: true });
  const manifest = { name, version, ...fields };
  fs.writeFileSync(path.join(place, 'package.json'), JSON.stringify(manifest));
  for (const [file, text] of Object.entries(files)) fs.writeFileSync(path.join(place, file), text, { mode: 0o755 });
  const bytes = execFileSync('tar', ['-czf', '-', '-C', path.dirname(place), 'package'], { maxBuffer: 1 << 24 });
  return { manifest, bytes, integrity: `sha512-${crypto.createHash('sha512').update(bytes).digest('base64')}` };
}

const packages = new Map([
  ['left', pack('left', '1.0.0', { dependencies: { '@scope/right': '^2.0.0' } }, { 'index.js': "module.exports = 'left ' + require('@scope/right');" })],
  ['@scope/right', pack('@scope/right', '2.1.0', { bin: { right: 'cli.js' } }, {
    'index.js': "module.exports = 'right';", 'cli.js': '#!/usr/bin/env node\nconsole.log("cli", process.versions.rondo ? "by rondo" : "by another");\n',
  })],
]);

function answer(request, response) {
  asked.push(request.url);
  const url = decodeURIComponent(request.url);
  const [name, file] = url.slice(1).split('/-/');
  const made = packages.get(name);
  if (made === undefined) {
    response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":"not found"}');
  } else if (file !== undefined) {
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(made.bytes);
  } else {
    const { manifest, integrity } = made;
    const dist = { integrity, tarball: `http://127.0.0.1:${port}/${name}/-/${path.basename(name)}-${manifest.version}.tgz` };
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ name, 'dist-tags': { latest: manifest.version }, 'versions': { [manifest.version]: { ...manifest, dist } } }));
  }
}

function run(...args) {
  const env = {
    ...process.env, PATH: `${at('bin')}:${process.env.PATH}`, HOME: folder, npm_config_cache: at('cache'), npm_config_userconfig: at('npmrc'),
    npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_update_notifier: 'false', npm_config_audit: 'false', npm_config_fund: 'false',
  };
  return new Promise((resolve, reject) => {
    execFile('node', [npm, ...args], { cwd: at('app'), env, timeout: 80_000 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`npm ${args.join(' ')}: ${error.message}\n${stdout}\n${stderr}`));
      else resolve(stdout);
    });
  });
}

(async () => {
  fs.mkdirSync(at('bin'));
  fs.mkdirSync(at('app'));
  fs.symlinkSync(process.execPath, at('bin', 'node'));
  const server = http.createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address());
  fs.writeFileSync(at('app', 'package.json'), JSON.stringify({
    name: 'app', version: '1.0.0', scripts: { say: 'right && node -p "require(\'left\')"', postinstall: 'node -e "require(\'fs\').writeFileSync(\'ran\', process.version)"' },
  }));

  await run('install', 'left');
  assert.strictEqual(JSON.parse(fs.readFileSync(at('app', 'package.json'))).dependencies.left, '^1.0.0');
  assert.deepStrictEqual(Object.keys(JSON.parse(fs.readFileSync(at('app', 'package-lock.json'))).packages), ['', 'node_modules/@scope/right', 'node_modules/left']);
  assert.match(await run('run', 'say'), /cli by rondo\nleft right\n/);

  fs.rmSync(at('app', 'node_modules'), { recursive: true });
  const before = asked.length;
  await run('ci', '--prefer-offline');
  assert.strictEqual(asked.slice(before).filter((url) => url.includes('.tgz')).length, 0);
  assert.ok(fs.existsSync(at('app', 'node_modules', 'left', 'index.js')));
  assert.strictEqual(fs.readFileSync(at('app', 'ran'), 'utf8'), process.version);
  server.close();
  server.closeAllConnections();
  fs.rmSync(folder, { recursive: true });
})();

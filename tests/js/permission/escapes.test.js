// Ways out of --permission: files by other names, descriptors, links, /proc, processes, workers, the network. Every one is refused, and
// without the option nearly every one works, so that the list means something.
'use strict';

const assert = require('assert');
const { execFile } = require('child_process');
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');

const fixture = path.join(__dirname, '../../fixtures/permission/attempts.js');

// A folder that may be read, one that may be written, and one for nobody.
function makeWorld(port) {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'rights')));
  const folder = (name) => {
    fs.mkdirSync(path.join(root, name));
    return path.join(root, name);
  };
  const readableFolder = folder('readable');
  const writable = folder('writable');
  const secretFolder = folder('secret');
  const file = (place, text) => {
    fs.writeFileSync(place, text);
    return place;
  };
  const secret = file(path.join(secretFolder, 'secret.js'), 'module.exports = 1;\n');
  const readable = file(path.join(readableFolder, 'file'), 'may be read');
  file(path.join(writable, 'own'), 'own');
  fs.symlinkSync(secret, path.join(secretFolder, 'link'));
  fs.symlinkSync(secret, path.join(readableFolder, 'link'));
  fs.symlinkSync(secretFolder, path.join(readableFolder, 'folder'));
  return {
    root, readableFolder, writable, secretFolder, secret, readable, port, pid: process.pid,
    linkOut: path.join(readableFolder, 'link'), folderLinkOut: path.join(readableFolder, 'folder'),
  };
}

const snapshot = (folder) => fs.readdirSync(folder, { recursive: true }).sort().map((name) => {
  const { mode, uid, size, mtimeMs } = fs.lstatSync(path.join(folder, name));
  return [name, mode, uid, size, mtimeMs];
});

function attempts(world, options) {
  const env = { ...process.env, WORLD: JSON.stringify(world) };
  delete env.NODE_OPTIONS;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [...options, fixture], { env, cwd: world.root, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (stdout === '') reject(error ?? new Error(stderr));
      else resolve(JSON.parse(stdout.trim().split('\n').at(-1)));
    });
  });
}

const refused = new Set(['ERR_ACCESS_DENIED', 'ERR_DLOPEN_DISABLED']);
const ownWay = { 'process: process.permission replaced': /^TypeError/, 'process: path replaced': /^TypeError/ };
// There is nothing by these names here, or Node's rights do not cover them either.
const absent = new Set(typeof globalThis.Worker === 'function' ? [] : ['process: web Worker']);

async function enforced(port) {
  const world = makeWorld(port);
  const before = snapshot(world.secretFolder);
  const results = await attempts(world, ['--permission', `--allow-fs-read=${world.readableFolder}`, `--allow-fs-write=${world.writable}`]);
  const escaped = results.filter(([name, result]) =>
    !absent.has(name) && !(ownWay[name] ? ownWay[name].test(result) : refused.has(result)));
  assert.deepStrictEqual(escaped, []);
  assert.ok(results.length >= 150, `${results.length} attempts`);
  assert.deepStrictEqual(snapshot(world.secretFolder), before);
  assert.deepStrictEqual(fs.readdirSync(world.writable), ['own']);
  assert.strictEqual(fs.readFileSync(world.readable, 'utf8'), 'may be read');
  fs.rmSync(world.root, { recursive: true });
}

async function unrestricted(port) {
  const world = makeWorld(port);
  const done = (await attempts({ ...world, isControl: true }, [])).filter(([, result]) => result === 'done').length;
  assert.ok(done >= 40, `only ${done} attempts work without the option`);
  fs.rmSync(world.root, { recursive: true, force: true });
}

const server = net.createServer((socket) => socket.on('error', () => {}).end()).listen(0, '127.0.0.1', async () => {
  await enforced(server.address().port);
  await unrestricted(server.address().port);
  server.close();
});

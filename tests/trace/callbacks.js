// Every kind of callback, started by one immediate: each must be a task with name, place, phase, wait, run time and that cause.
'use strict';
const { execFile } = require('node:child_process');
const { randomBytes } = require('node:crypto');
const dns = require('node:dns');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-callbacks-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

setImmediate(function start() {
  fs.stat(__filename, function fileCallback() {});
  fs.promises.stat(__filename).then(function filePromise() {});
  fs.createReadStream(__filename).on('data', function fileStream() {});
  randomBytes(16, function randomCallback() {});
  dns.lookup('localhost', function lookupCallback() {});
  dns.lookupService('127.0.0.1', 9, function serviceCallback() {});
  execFile(process.execPath, ['-e', '0'], function childCallback() {});

  process.once('SIGUSR2', function signalListener() {});
  process.kill(process.pid, 'SIGUSR2');

  const watcher = fs.watch(folder, function watchListener() { watcher.close(); });
  fs.writeFile(path.join(folder, 'new'), '', function writeCallback() {});

  const server = net.createServer(function connectionListener(peer) { peer.end('x'); });
  server.listen(0, '127.0.0.1', function listening() {
    const socket = net.connect(server.address().port, '127.0.0.1', function connectListener() {});
    socket.on('data', function dataListener() {});
    socket.on('close', function closeListener() { server.close(); });
  });

  const { port1, port2 } = new MessageChannel();
  port1.on('message', function messageListener() { port1.close(); });
  port2.postMessage(0);
});

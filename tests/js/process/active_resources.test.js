'use strict';
// process.getActiveResourcesInfo() names what keeps the program alive.
const assert = require('node:assert');
const dns = require('node:dns');
const fs = require('node:fs');
const net = require('node:net');

const count = (name) => process.getActiveResourcesInfo().filter((one) => one === name).length;

const timer = setTimeout(() => {}, 1e6);
assert.strictEqual(count('Timeout'), 1);
timer.unref();
assert.strictEqual(count('Timeout'), 0);
clearTimeout(timer);

const immediate = setImmediate(() => {});
assert.strictEqual(count('Immediate'), 1);
clearImmediate(immediate);  // and nothing keeps the loop from sleeping
assert.strictEqual(count('Immediate'), 0);

const watcher = fs.watch(__dirname);
assert.strictEqual(count('FSEventWrap'), 1);
assert.strictEqual(process._getActiveHandles().includes(watcher), true);
watcher.unref();
assert.strictEqual(count('FSEventWrap'), 0);
watcher.ref();
assert.strictEqual(count('FSEventWrap'), 1);
watcher.close();
assert.strictEqual(count('FSEventWrap'), 0);

fs.stat(__filename, () => {});
assert.strictEqual(count('FSReqCallback'), 1);
assert.strictEqual(process._getActiveRequests().length, 1);

fs.promises.stat(__filename);
assert.strictEqual(count('FSReqPromise'), 1);
assert.strictEqual(count('FSReqCallback'), 1);

const listener = () => {};
const looker = fs.watchFile(__filename, listener);
assert.strictEqual(count('StatWatcher'), 1);
assert.strictEqual(count('Timeout'), 0);
assert.strictEqual(count('FSReqCallback'), 1);
looker.unref();
assert.strictEqual(count('StatWatcher'), 0);
looker.ref();
assert.strictEqual(count('StatWatcher'), 1);
fs.unwatchFile(__filename, listener);
assert.strictEqual(count('StatWatcher'), 0);

dns.lookup('localhost', () => assert.strictEqual(count('GetAddrInfoReqWrap'), 0));
assert.strictEqual(count('GetAddrInfoReqWrap'), 1);
dns.lookupService('127.0.0.1', 1, () => assert.strictEqual(count('GetNameInfoReqWrap'), 0));
assert.strictEqual(count('GetNameInfoReqWrap'), 1);

const { port1 } = new MessageChannel();
assert.strictEqual(count('MessagePort'), 0);
port1.on('message', () => {});
assert.strictEqual(count('MessagePort'), 1);
port1.unref();
assert.strictEqual(count('MessagePort'), 0);
port1.ref();
assert.strictEqual(count('MessagePort'), 1);
port1.close();

const server = net.createServer((socket) => socket.end()).listen(0, '127.0.0.1', () => {
  assert.strictEqual(count('TCPServerWrap'), 1);
  assert.ok(process._getActiveHandles().includes(server));
  const client = net.connect(server.address().port, '127.0.0.1', () => {
    assert.ok(count('TCPSocketWrap') >= 1);
    client.resume();
  });
  client.on('close', () => {
    assert.ok(!process._getActiveHandles().includes(client));
    server.close(() => assert.strictEqual(count('TCPServerWrap'), 0));
  });
});

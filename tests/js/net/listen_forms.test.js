// The ways to listen: port, path, options, descriptor, handle, signal; and how each fails.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const listening = [];
const mark = (name) => function onListening() {
  listening.push(name);
  this.close();
};
net.createServer().listen(mark('callback only'));
net.createServer().listen(null, mark('null'));
net.createServer().listen({ port: undefined }, mark('undefined port'));
net.createServer().listen('0', '127.0.0.1', 5, mark('text port, host, backlog'));
net.Server().listen({ port: 0, host: '127.0.0.1', reusePort: true }, mark('called without new'));

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'net-'));
const socketPath = path.join(folder, 's');
const local = net.createServer((socket) => socket.end()).listen({ path: socketPath, writableAll: true, readableAll: true }, () => {
  assert.strictEqual(local.address(), socketPath);
  assert.strictEqual(fs.statSync(socketPath).mode & 0o777, 0o777 & (fs.statSync(socketPath).mode | 0o666));
  const client = net.connect(socketPath).resume();
  client.on('close', () => {
    assert.strictEqual(client.remoteAddress, undefined);
    local.close(() => {
      assert.strictEqual(local.listening, false);
      listening.push('path');
      fs.rmdirSync(folder);
    });
  });
});

const first = net.createServer().listen(0, '127.0.0.1', () => {
  const { port } = first.address();
  net.createServer().listen(port, '127.0.0.1').on('error', (error) => {
    assert.strictEqual(error.message, `listen EADDRINUSE: address already in use 127.0.0.1:${port}`);
    assert.deepStrictEqual([error.code, error.syscall, error.address, error.port, error.constructor], ['EADDRINUSE', 'listen', '127.0.0.1', port, Error]);
    listening.push('in use');
    first.close();
  });
  assert.throws(() => first.listen(0), { code: 'ERR_SERVER_ALREADY_LISTEN' });
  assert(first._handle.fd > 2 && first._handle.hasRef());
});

const abort = new AbortController();
net.createServer().listen({ port: 0, signal: abort.signal }, () => abort.abort()).on('close', () => listening.push('aborted'));

net.createServer().listen({ fd: 2 ** 20 }).on('error', (error) => listening.push(`descriptor ${error.code}`));
for (const bad of [-1, 65536, NaN, 1.5]) assert.throws(() => net.createServer().listen(bad), { code: 'ERR_SOCKET_BAD_PORT' });
for (const bad of [{}, { host: 'x' }, { fd: -1 }]) {
  assert.throws(() => net.createServer().listen(bad), { code: 'ERR_INVALID_ARG_VALUE', message: /^The argument 'options' must have the property "port" or "path"\. Received / });
}
for (const bad of [true, { port: false }, { path: -1 }]) {
  assert.throws(() => net.createServer().listen(bad), { code: 'ERR_INVALID_ARG_VALUE', message: /^The argument 'options' is invalid\. Received / });
}
net.createServer().close((error) => {
  assert.strictEqual(error.code, 'ERR_SERVER_NOT_RUNNING');
  listening.push('not running');
});

process.on('exit', () => assert.deepStrictEqual(listening.sort(), [
  'aborted', 'callback only', 'called without new', 'descriptor EINVAL', 'in use', 'not running', 'null', 'path',
  'text port, host, backlog', 'undefined port',
]));

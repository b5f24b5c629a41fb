// What programs that stand between a socket and its peer rest on (msw, nock): a handle's connect(request, …) and shutdown(request) with
// request.oncomplete, a socket's own _writeGeneric, and TLSSocket.prototype._wrapHandle.
'use strict';
const assert = require('node:assert');
const { once } = require('node:events');
const net = require('node:net');
const tls = require('node:tls');
const { test } = require('node:test');

async function echoServer() {
  const server = net.createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

test('a connection that a program completes by hand', async () => {
  const socket = new net.Socket();
  const written = [];
  socket._writeGeneric = (isMany, data, encoding, callback) => {
    written.push(isMany ? data.map(({ chunk }) => String(chunk)) : String(data));
    callback();
  };
  socket._read = () => {};
  let asked;
  socket.on('connectionAttempt', () => {
    const handle = socket._handle;
    handle.connect = (request, address, port) => { asked = { request, address, port }; return 0; };
    handle.shutdown = () => 1;  // done at once
    handle.readStart = handle.readStop = () => 0;
  });
  socket.connect(1, '127.0.0.1');
  socket.write('one');
  await once(socket, 'connectionAttempt');
  await new Promise(setImmediate);
  assert.deepStrictEqual([asked.address, asked.port], ['127.0.0.1', 1]);
  assert.strictEqual(typeof asked.request.oncomplete, 'function');
  assert.strictEqual(socket.connecting, true);
  asked.request.oncomplete(0, socket._handle, asked.request, true, true);
  assert.strictEqual(socket.connecting, false);
  socket.cork();
  socket.write('two');
  socket.write('three');
  socket.uncork();
  socket.push('answer');
  assert.strictEqual(String((await once(socket, 'data'))[0]), 'answer');
  socket.end();
  await once(socket, 'finish');
  assert.deepStrictEqual(written, ['one', ['two', 'three']]);
  socket.destroy();
});

test('requests that the handle completes', async () => {
  const server = await echoServer();
  const other = net.connect(server.address().port, '127.0.0.1');
  const TCP = other._handle.constructor;
  other.destroy();
  const handle = new TCP();
  const connected = new Promise((resolve) => {
    const request = { oncomplete: (...args) => resolve({ request, args }) };
    assert.strictEqual(handle.connect(request, '127.0.0.1', server.address().port), 0);
  });
  const { request, args } = await connected;
  assert.deepStrictEqual(args, [0, handle, request, true, true]);
  await new Promise((resolve, reject) => {
    const status = handle.shutdown({ oncomplete: resolve });
    if (status === 1) resolve(0);
    else if (status < 0) reject(new Error(`shutdown: ${status}`));
  });
  handle.close();
  server.close();
});

test('settings of a socket are found by the descriptions of their symbols', () => {
  const settingsOf = (socket) => Object.fromEntries(Object.getOwnPropertySymbols(socket).map((symbol) => [symbol.description, socket[symbol]]));
  const socket = new net.Socket();
  socket.setNoDelay(true).setKeepAlive(true, 3000);
  const { kSetNoDelay, kSetKeepAlive, kSetKeepAliveInitialDelay } = settingsOf(socket);
  assert.deepStrictEqual([kSetNoDelay, kSetKeepAlive, kSetKeepAliveInitialDelay], [true, true, 3]);
  const secure = tls.connect({ port: 1, host: '127.0.0.1', lookup: () => {} }).on('error', () => {});
  assert.strictEqual(settingsOf(secure)['connect-options'].host, '127.0.0.1');
  secure.destroy();
});

test('_wrapHandle makes the handle of every TLSSocket', () => {
  const real = tls.TLSSocket.prototype._wrapHandle;
  const calls = [];
  tls.TLSSocket.prototype._wrapHandle = function _wrapHandle(wrap, handle, ...rest) {
    calls.push([wrap, handle]);
    return real.call(this, wrap, undefined, ...rest);
  };
  try {
    const below = new net.Socket();
    const secure = new tls.TLSSocket(below);
    assert.strictEqual(calls[0][0], below);
    assert.strictEqual(typeof secure._handle.onhandshakedone, 'function');
    assert.strictEqual(typeof secure._handle._parent.connect, 'function');  // one of its own
    secure._handle.verifyError = () => null;
    let isSecure = false;
    secure.on('secure', () => { isSecure = true; });
    secure._handle.onhandshakedone();
    assert.ok(isSecure);
    secure.destroy();
    below.destroy();
  } finally {
    tls.TLSSocket.prototype._wrapHandle = real;
  }
});

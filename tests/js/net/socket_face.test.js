// What programs touch on a Socket: its handle, counters, own buffer, inheritance by call, time-outs, reset.
'use strict';
const assert = require('node:assert');
const net = require('node:net');
const util = require('node:util');

function Derived(options) { net.Socket.call(this, options); }
util.inherits(Derived, net.Socket);

const done = [];
const server = net.createServer((socket) => {
  assert(socket instanceof net.Socket && socket.server === server);
  socket.setNoDelay().setKeepAlive(true, 5000).setTypeOfService(16);
  assert.strictEqual(socket.getTypeOfService() & 0xfc, 16);
  assert(socket._handle.fd > 2);
  socket.on('error', () => {});
  socket.write('0123456789');
  socket.on('data', (data) => {
    if (`${data}` === 'reset') socket.resetAndDestroy();
    else socket.end();
  });
}).listen(0, '127.0.0.1', () => {
  counters(server.address().port);
  ownBuffer(server.address().port);
  reset(server.address().port);
});

function counters(port) {
  const socket = new Derived();
  assert(socket.pending && !socket.connecting);
  socket.connect(port, '127.0.0.1');
  assert.strictEqual(socket.readyState, 'opening');
  assert(socket._handle !== null);
  socket.write('ä');
  assert.strictEqual(socket.bytesWritten, 2);
  assert.strictEqual(socket.bufferSize, 1);
  socket.resume().on('close', () => {
    assert.deepStrictEqual([socket.bytesRead, socket.bytesWritten, socket.destroyed, socket._handle], [10, 2, true, null]);
    finish('counters');
  });
}

function ownBuffer(port) {
  let text = '';
  const buffer = Buffer.alloc(4);
  const socket = net.connect({ port, host: '127.0.0.1', onread: { buffer, callback(size, piece) {
    assert.strictEqual(piece, buffer);
    text += piece.toString('latin1', 0, size);
    if (text.length === 10) socket.end('x');
    return true;
  } } });
  socket.on('data', () => assert.fail('data went through the stream'));
  socket.on('close', () => {
    assert.strictEqual(text, '0123456789');
    finish('own buffer');
  });
}

function reset(port) {
  const socket = net.connect(port, '127.0.0.1', () => socket.write('reset'));
  socket.resume().on('error', (error) => {
    assert.deepStrictEqual([error.message, error.errno, error.constructor], ['read ECONNRESET', -104, Error]);
    finish('reset');
  });
}

// The time-out below comes when it comes: it does not count here.
let finished = 0;
function finish(name) {
  done.push(name);
  if (++finished === 3) server.close(refused);
}

function refused() {
  const { port } = server.address() ?? { port: 1 };
  const socket = net.connect({ port, host: '127.0.0.1' });
  socket.on('error', (error) => {
    assert.deepStrictEqual([error.code, error.syscall, error.address, error.port], ['ECONNREFUSED', 'connect', '127.0.0.1', port]);
    done.push('refused');
  });
}

const silent = net.createServer(() => {}).listen(0, '127.0.0.1', () => {
  const socket = net.connect({ port: silent.address().port, host: '127.0.0.1', timeout: 5 });
  socket.on('timeout', () => {
    done.push('timeout');
    socket.destroy();
  });
  silent.on('connection', (peer) => peer.resume());
  socket.on('close', () => silent.close());
});
assert.throws(() => net.connect({}), { code: 'ERR_MISSING_ARGS' });
assert.throws(() => net.connect({ port: 1, localAddress: 'x' }), { code: 'ERR_INVALID_IP_ADDRESS' });
assert.throws(() => new net.Socket({ objectMode: true }), { code: 'ERR_INVALID_ARG_VALUE' });
process.on('exit', () => assert.deepStrictEqual(done.sort(), ['counters', 'own buffer', 'refused', 'reset', 'timeout']));

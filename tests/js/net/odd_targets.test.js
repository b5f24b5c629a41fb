// Hosts that are none, a path that is too long, a server closed while its name is looked up, a paused options.onread: as in Node 26.
'use strict';
const assert = require('assert');
const net = require('net');
const { once } = require('events');

async function refusesTargets() {
  assert.throws(() => net.connect({ host: ['127.0.0.1'], port: 1 }), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => net.connect({ host: '127.0.0.1\0.example', port: 1 }), {
    code: 'ERR_INVALID_ARG_VALUE',
    message: /^The property 'options\.host' must be a string without null bytes\./,
  });
  for (const right of ['readableAll', 'writableAll'])
    assert.throws(() => net.createServer().listen({ path: '\0abstract', [right]: true }), { code: 'ERR_INVALID_ARG_VALUE' });
  const path = `/tmp/${'x'.repeat(10000)}.sock`;
  const [error] = await once(net.createServer().listen(path), 'error');
  assert.strictEqual(error.code, 'EINVAL');
  const [failure] = await once(net.connect(path), 'error');
  assert.strictEqual(failure.code, 'EINVAL');
}

// The second server's lookup ends after the first's, so the first can no longer begin to listen.
async function staysClosed() {
  const closed = net.createServer().listen(0, 'localhost', () => assert.fail('it was closed'));
  closed.close();
  const other = net.createServer();
  await once(other.listen(0, 'localhost'), 'listening');
  assert.strictEqual(closed.listening, false);
  other.close();
}

async function deliversNothingWhilePaused() {
  const message = Buffer.from('one two three four five six seven');
  const server = net.createServer((socket) => socket.end(message));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  for (const pause of [(socket) => void socket.pause(), () => false]) {
    const buffer = Buffer.alloc(8);
    const pieces = [];
    let isPaused = false;
    const socket = net.connect({
      port: server.address().port,
      host: '127.0.0.1',
      onread: {
        buffer,
        callback(size, bytes) {
          assert.strictEqual(isPaused, false);
          pieces.push(Buffer.from(bytes.subarray(0, size)));
          isPaused = true;
          setImmediate(() => {
            isPaused = false;
            socket.resume();
          });
          return pause(socket);
        },
      },
    });
    await once(socket, 'close');
    assert.deepStrictEqual(Buffer.concat(pieces), message);
    assert.strictEqual(pieces.length, 5);
  }
  server.close();
}

(async () => {
  await refusesTargets();
  await staysClosed();
  await deliversNothingWhilePaused();
})();

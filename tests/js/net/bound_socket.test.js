// net.BoundSocket: an address first, then a server or a client on it.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'rondo-bound-'));
let done = 0;
process.on('exit', () => {
  fs.rmSync(folder, { recursive: true });
  assert.strictEqual(done, 2);
});

function roundTrip(serverOptions, clientOptions, check) {
  const bound = new net.BoundSocket(serverOptions);
  const address = bound.address();
  const server = net.createServer((socket) => socket.end('hello')).listen(bound, () => {
    assert.deepStrictEqual(server.address(), address);
    const source = new net.BoundSocket(clientOptions);
    const local = source.address();
    const client = new net.Socket({ handle: source });
    assert.throws(() => source.address(), { code: 'ERR_SOCKET_HANDLE_ADOPTED' });
    client.connect(typeof address === 'string' ? { path: address } : address.port, '127.0.0.1');
    client.setEncoding('utf8').on('data', (text) => {
      assert.strictEqual(text, 'hello');
      check(client, local);
    });
    client.on('close', () => server.close(() => { done++; }));
  });
  assert.throws(() => bound.close(), { code: 'ERR_SOCKET_HANDLE_ADOPTED' });
}

roundTrip({ host: '127.0.0.1' }, { host: '127.0.0.1' }, (client, { port }) => assert.strictEqual(client.localPort, port));
const own = path.join(folder, 's');
roundTrip({ path: own }, { path: path.join(folder, 'c') }, (client, local) => assert.strictEqual(local, path.join(folder, 'c')));

assert.throws(() => new net.BoundSocket({ path: own }), { code: 'EADDRINUSE', syscall: 'bind' });
const spare = new net.BoundSocket({ path: path.join(folder, 'x') });
assert.strictEqual(spare.isPipe, true);
assert.ok(spare.fd() >= 0);
spare.close();
assert.ok(!fs.existsSync(path.join(folder, 'x')));
spare[Symbol.dispose]();
assert.throws(() => new net.BoundSocket({ host: 'localhost' }), { code: 'ERR_INVALID_ARG_VALUE' });
assert.throws(() => new net.BoundSocket({ path: 'x', port: 1 }), { code: 'ERR_INVALID_ARG_VALUE' });
assert.throws(() => new net.BoundSocket({ port: -1 }), { code: 'ERR_SOCKET_BAD_PORT' });

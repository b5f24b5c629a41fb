// TCP and Unix servers and clients: data both ways, half close, 'listening' before every 'connection'.
const net = require('net');
const assert = require('assert');
const path = require('path');
const os = require('os');

let finished = 0;

function roundTrip(target, label) {
  const events = [];
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    events.push('connection');
    socket.pipe(socket);
  });
  server.listen(target, () => {
    events.push('listening');
    const address = server.address();
    const client = net.connect(typeof target === 'string' ? target : address.port, typeof target === 'string' ? undefined : '127.0.0.1');
    const big = Buffer.alloc(3 * 1024 * 1024, 'rondo');
    const got = [];
    client.on('connect', () => {
      client.write('text é ');
      client.write(Buffer.from('bytes '));
      client.end(big);
    });
    client.on('data', (chunk) => got.push(chunk));
    client.on('end', () => {
      const all = Buffer.concat(got);
      assert.strictEqual(all.length, Buffer.byteLength('text é bytes ') + big.length);
      assert.strictEqual(all.toString('utf8', 0, 14), 'text é bytes ');
      assert.ok(all.subarray(14).equals(big));
    });
    client.on('close', (hadError) => {
      assert.strictEqual(hadError, false);
      assert.ok(client.bytesRead > big.length);
      server.close(() => {
        assert.strictEqual(events[0], 'listening');
        finished++;
      });
    });
  });
  return label;
}

roundTrip(0, 'tcp');
roundTrip(path.join(os.tmpdir(), `rondo-net-${process.pid}.sock`), 'unix');

const taken = net.createServer().listen(0, '127.0.0.1', () => {
  const second = net.createServer();
  second.on('error', (error) => {
    assert.strictEqual(error.code, 'EADDRINUSE');
    assert.strictEqual(error.syscall, 'listen');
    taken.close(() => finished++);
  });
  second.listen(taken.address().port, '127.0.0.1');
});

assert.strictEqual(net.isIP('::1'), 6);
assert.strictEqual(net.isIP('127.0.0.1'), 4);
assert.strictEqual(net.isIP('1.2.3'), 0);
assert.throws(() => net.connect(), { code: 'ERR_MISSING_ARGS' });
assert.throws(() => net.connect(70000), { code: 'ERR_SOCKET_BAD_PORT' });

process.on('exit', () => assert.strictEqual(finished, 3));

// A socket destroyed while a write is under way calls that write's callback, once, with an error.
const net = require('net');
const assert = require('assert');

let calls = 0;
const server = net.createServer((peer) => peer.pause()).listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => {
    client.write(Buffer.alloc(32 * 1024 * 1024), (error) => {
      calls++;
      assert.ok(error instanceof Error);
    });
    setImmediate(() => client.destroy());
  });
  client.on('close', () => {
    server.close();
    server.unref();
    setImmediate(() => process.exit());
  });
});
process.on('exit', () => assert.strictEqual(calls, 1));

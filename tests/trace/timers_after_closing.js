// S65: after the close callbacks, or if there is nothing to close, the loop goes on with timers.
const net = require('node:net');

function expired(callback) {
  setTimeout(callback, 1);
  const end = process.hrtime.bigint() + 3_000_000n;
  while (process.hrtime.bigint() < end);
}
const server = net.createServer((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => {
    setImmediate(() => {
      client.resume().destroy();
      setImmediate(function immediateAfterClosing() {});
    });
  });
  client.on('close', () => {
    process.nextTick(function closed() {});
    expired(function timerAfterClosing() {});
    server.close(() => setImmediate(() => setImmediate(() => {
      process.nextTick(function nothingToClose() {});
      setImmediate(function immediateAfterNothing() {});
      expired(function timerAfterNothing() {});
    })));
  });
});

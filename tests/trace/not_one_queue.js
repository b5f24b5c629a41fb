// S112: what one callback queues, mixed, runs phase by phase: neither in the order of queueing nor in its reverse.
const fs = require('node:fs');
const net = require('node:net');
const server = net.createServer(() => {}).listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1', () => {
    fs.stat(__filename, function mixed() {
      socket.on('close', function closed() {});
      socket.destroy();
      for (let i = 0; i < 3; i++) {
        setTimeout(function timer() {}, 1);
        setImmediate(function immediate() {});
        fs.stat(__filename, function file() {});
      }
      server.close();
    });
  });
});

// S36: a hundred iterations with work in every phase that JavaScript can reach: an expired timer, a connection that failed before it began
// (pending), immediates (idle keeps poll from waiting for them), a file, an immediate, a destroyed socket.
const fs = require('node:fs');
const net = require('node:net');
const server = net.createServer((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1', () => {
  let left = 110;
  setImmediate(function check() {
    setTimeout(function timer() {}, 1);
    const end = process.hrtime.bigint() + 2_500_000n;
    while (process.hrtime.bigint() < end);
    net.connect('/nowhere/at/all').on('error', function failed() {});
    fs.stat(__filename, function poll() {});
    net.connect(server.address().port, '127.0.0.1').on('close', function closed() {}).destroy();
    if (--left) setImmediate(check);
    else server.close();
  });
});

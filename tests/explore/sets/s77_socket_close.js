// S77: both calls in the closing phase; the clock may have passed the millisecond when the next iteration begins, or not.
// outcome: timeout immediate
// outcome: immediate timeout
const net = require('net');
const socket = new net.Socket();
socket.on('error', () => {});
socket.on('close', () => {
  setTimeout(() => console.log('timeout'), 0);
  setImmediate(() => console.log('immediate'));
});
socket.connect({ port: 9, host: '127.0.0.1' });
socket.destroy();

// S47 S77 S78: both calls inside the 'close' callback of a destroyed socket (closing phase): either order is legal.
const net = require('net');
const probe = net.createServer().listen(0, '127.0.0.1', () => {
  const { port } = probe.address();
  probe.close(() => {
    const socket = new net.Socket();
    socket.on('error', () => {});
    socket.on('close', () => {
      setTimeout(() => console.log('timeout'), 0);
      setImmediate(() => console.log('immediate'));
    });
    socket.connect({ port, host: '127.0.0.1' });
    socket.destroy();
  });
});

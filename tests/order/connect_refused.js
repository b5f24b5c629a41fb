// S52 S53 S64: a refused connection is never reported from inside connect(); 'close' comes last, with hadError true.
const net = require('net');
const probe = net.createServer().listen(0, '127.0.0.1', () => {
  const { port } = probe.address();
  probe.close(() => {
    const socket = net.connect({ port, host: '127.0.0.1' });
    socket.on('error', (error) => console.log('error', error.code, error.syscall, error.address === '127.0.0.1', error.port === port));
    socket.on('close', (hadError) => console.log('close hadError', hadError));
    process.nextTick(() => console.log('tick'));
    setImmediate(() => console.log('immediate'));
    console.log('sync end');
  });
});

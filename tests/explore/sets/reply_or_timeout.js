// A reply against its time-out.
// outcome: reply
// outcome: timeout
const net = require('net');
const server = net.createServer((socket) => socket.on('data', () => socket.end('x'))).listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  const timer = setTimeout(() => finish('timeout'), 100);
  const finish = (how) => {
    console.log(how);
    clearTimeout(timer);
    process.exit();
  };
  client.on('data', () => finish('reply'));
  client.write('?');
});

// S97: 'listening' precedes every connection.
// outcome: listening connection
const net = require('net');
const server = net.createServer((socket) => {
  console.log('connection');
  socket.end();
  server.close();
});
server.listen(0, '127.0.0.1');
server.on('listening', () => {
  console.log('listening');
  net.connect(server.address().port, '127.0.0.1').resume();
});

// Two writes may arrive as one piece or as several; never out of order.
// outcome: a,b
// outcome: ab
const net = require('net');
const server = net
  .createServer((socket) => {
    socket.write('a');
    socket.end('b');
  })
  .listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1');
    const pieces = [];
    client.on('data', (piece) => pieces.push(String(piece)));
    client.on('end', () => {
      console.log(pieces.join());
      server.close();
    });
  });

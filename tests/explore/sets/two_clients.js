// Two connections: the server hears of them in the order in which they were made; their data comes in any order.
// options: --bound 1
// outcome: a b
// outcome: b a
const net = require('net');
let ended = 0;
const server = net
  .createServer((socket) => {
    socket.on('data', (piece) => console.log(String(piece)));
    socket.on('end', () => ++ended === 2 && server.close());
  })
  .listen(0, '127.0.0.1', () => {
    net.connect(server.address().port, '127.0.0.1').end('a');
    net.connect(server.address().port, '127.0.0.1').end('b');
  });

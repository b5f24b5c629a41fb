// Four bytes in one write arrive in any pieces: 2^3 ways.
// outcome: a,b,c,d
// outcome: a,b,cd
// outcome: a,bc,d
// outcome: a,bcd
// outcome: ab,c,d
// outcome: ab,cd
// outcome: abc,d
// outcome: abcd
const net = require('net');
const server = net.createServer((socket) => socket.end('abcd')).listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  const pieces = [];
  client.on('data', (piece) => pieces.push(String(piece)));
  client.on('end', () => {
    console.log(pieces.join());
    server.close();
  });
});

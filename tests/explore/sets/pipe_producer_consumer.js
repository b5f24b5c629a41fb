// A producer and a consumer over a Unix socket: what is sent arrives whole and in order, in any pieces.
// outcome: abc
const net = require('net');
const path = `${require('os').tmpdir()}/rondo-explore-pipe`;
const server = net.createServer((socket) => {
  let text = '';
  socket.on('data', (piece) => (text += piece));
  socket.on('end', () => {
    console.log(text);
    server.close();
  });
});
server.listen(path, () => {
  const producer = net.connect(path);
  producer.write('a');
  setImmediate(() => producer.end('bc'));
});

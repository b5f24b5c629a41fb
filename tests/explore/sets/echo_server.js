// One message of two bytes, cut anywhere, on its way there and back; the client puts it together.
// outcome: ab
const net = require('net');
const server = net.createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  let text = '';
  client.on('data', (piece) => (text += piece));
  client.on('end', () => {
    console.log(text);
    server.close();
  });
  client.end('ab');
});

// A server answers as soon as it listens; what it answers with is still being read.
// rondo explore examples/explore/use_before_ready.js
const fs = require('node:fs');
const net = require('node:net');

let greeting;
fs.readFile(__filename, 'utf8', (error, text) => {
  greeting = text.slice(3, 11);
});

const server = net.createServer((socket) => socket.end(`${greeting.length} letters`));
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  let answer = '';
  client.on('data', (piece) => (answer += piece));
  client.on('end', () => {
    console.log(answer);
    server.close();
  });
});

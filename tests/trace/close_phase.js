// S64, S77, S78: which phase a close event belongs to: a destroyed socket's is the closing phase's, a file stream's is a tick's.
const fs = require('node:fs');
const net = require('node:net');

const server = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.resume();
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => client.destroy());
  client.on('close', () => {
    process.nextTick(function afterDestroy() {});
    server.close();
  });
});
const file = fs.createReadStream(__filename);
file.resume();
file.on('close', () => process.nextTick(function afterFile() {}));

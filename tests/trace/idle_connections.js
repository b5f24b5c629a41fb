// S32, S33: a thousand connections that are open and idle, and one more that sends. The check reads the threads of the process from the exit code.
const fs = require('node:fs');
const net = require('node:net');

const kConnections = 1000;
// Without the engine's own, which compile and collect: it starts them when it pleases.
const isOfLoop = (id) => !/JITWorker|HeapHelper|ollector Thread/.test(fs.readFileSync(`/proc/self/task/${id}/comm`, 'utf8'));
const threads = () => fs.readdirSync('/proc/self/task').filter(isOfLoop).length;
const held = [];
let accepted = 0;
let before = 0;

function finish() {
  const more = threads() - before;
  for (const socket of held) socket.destroy();
  server.close(() => process.exit(more === 0 ? 0 : 20));
}
function lastSends() {
  const client = net.connect(server.address().port, '127.0.0.1', function connected() { client.write('x'); });
  client.on('data', function answered() { client.destroy(); finish(); });
}
const server = net.createServer(function incoming(socket) {
  held.push(socket);
  socket.on('data', function request(piece) { socket.write(piece); });
  if (++accepted === kConnections) setImmediate(lastSends);
}).listen(0, '127.0.0.1', 2048, function connectAll() {
  before = threads();
  for (let i = 0; i < kConnections; i++) held.push(net.connect(server.address().port, '127.0.0.1'));
});

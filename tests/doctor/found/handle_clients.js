// expect handle-leak connectToStore
// Client sockets that are never closed.
const net = require('node:net');
const kept = []; function connectToStore(port) { kept.push(net.connect(port, '127.0.0.1')); }
const server = net.createServer((socket) => socket.resume()).listen(0, '127.0.0.1', () => setInterval(() => connectToStore(server.address().port), 30));
setTimeout(() => process.exit(0), 60_000);

// A pool of connections that fills up at the start and is kept.
const net = require('node:net'); const kept = []; const server = net.createServer((socket) => socket.resume());
server.listen(0, '127.0.0.1', () => { const t = setInterval(() => { kept.push(net.connect(server.address().port, '127.0.0.1')); if (kept.length === 30) clearInterval(t); }, 15); setTimeout(() => process.exit(0), 4000); });

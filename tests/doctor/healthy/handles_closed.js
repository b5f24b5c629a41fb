// Sockets that are opened all the time, and closed.
const net = require('node:net'); const server = net.createServer((socket) => socket.end('bye')); let n = 0;
server.listen(0, '127.0.0.1', () => { const t = setInterval(() => { net.connect(server.address().port, '127.0.0.1').resume(); if (++n > 150) { clearInterval(t); server.close(); } }, 25); });

// expect tick-recursion pollUntil
const net = require('node:net');
let stopAt = 0;
function pollUntil(done) { if (process.threadCpuUsage().user >= stopAt) done(); else process.nextTick(pollUntil, done); }
const server = net.createServer((socket) => socket.once('data', () => { stopAt = process.threadCpuUsage().user + 700_000; pollUntil(() => socket.end('bye')); }));
server.listen(0, '127.0.0.1', () => { const client = net.connect(server.address().port, '127.0.0.1', () => client.write('hi')); client.resume().on('close', () => server.close()); });

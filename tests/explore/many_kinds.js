// Timers, files, a connection, a worker and random numbers in one program, for runs that are compared with each other: `make deep` runs a
// thousand of its schedules twice.
const fs = require('fs');
const net = require('net');
const { Worker } = require('worker_threads');
const tell = (name) => console.log(name, Date.now(), performance.now(), Math.random());
for (const delay of [0, 2, 3]) setTimeout(() => fs.stat(__filename, () => tell(`stat ${delay}`)), delay);
setImmediate(() => fs.readFile(__filename, () => setTimeout(tell, 3, 'read')));
const server = net.createServer((socket) => socket.end('abc')).listen(0, '127.0.0.1', () => {
  net.connect(server.address().port, '127.0.0.1').on('data', (piece) => tell(`data ${piece}`)).on('close', () => server.close());
});
new Worker('require("worker_threads").parentPort.postMessage(crypto.randomUUID())', { eval: true }).on('message', tell);

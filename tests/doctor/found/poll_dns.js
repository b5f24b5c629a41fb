// expect poll-flood onPacket
// Eighty sockets for datagrams, each read until its buffer is empty.
const dgram = require('node:dgram'); let n = 0;
function onPacket(packet) { for (let i = 0; i < 300_000; i++) n += packet[i % packet.length]; }
const sockets = Array.from({ length: 80 }, () => dgram.createSocket('udp4').on('message', onPacket));
let left = sockets.length; for (const socket of sockets) socket.bind(0, '127.0.0.1', () => { if (--left === 0) setInterval(send, 500); });
const from = dgram.createSocket('udp4'); function send() { for (const socket of sockets) for (let i = 0; i < 10; i++) from.send('sample 1 2 3', socket.address().port, '127.0.0.1'); }
setTimeout(() => process.exit(0), 60_000);

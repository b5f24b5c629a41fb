// expect poll-flood onData|pump
const net = require('net');
let total = 0;
function onData(chunk) { for (let i = 0; i < chunk.length; i += 8) total += chunk[i]; }
const s = net.createServer((c) => { c.on('data', onData); });
const end = Date.now() + 60_000;
s.listen(0, () => { for (let i = 0; i < 100; i++) { const c = net.connect(s.address().port); const b = Buffer.alloc(16384, 1);
  const pump = () => { if (Date.now() > end) { c.destroy(); if (--left === 0) process.exit(); return; } c.write(b, pump); }; pump(); } });
let left = 100;

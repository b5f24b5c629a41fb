// expect handle-leak openConnection
const net = require('net'); const kept = [];
const s = net.createServer((c) => kept.push(c)).listen(0, () => {
  function openConnection() { const c = net.connect(s.address().port); kept.push(c); }
  setInterval(openConnection, 20); setTimeout(() => process.exit(), 4500); });

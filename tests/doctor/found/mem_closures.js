// expect memory-leak onMessage
// Closures that hold what they have seen.
const { EventEmitter } = require('node:events'); const bus = new EventEmitter(); const undo = [];
bus.on('message', function onMessage(n) { const before = new Array(3000).fill(n); undo.push(() => before); });
let n = 0; setInterval(() => { for (let i = 0; i < 12; i++) bus.emit('message', n++); }, 10); setTimeout(() => process.exit(0), 60_000);

// expect memory-leak subscribe
const { EventEmitter } = require('events'); const bus = new EventEmitter(); bus.setMaxListeners(0);
function subscribe() { const big = new Array(5000).fill('x'); bus.on('tick', () => big.length); }
setInterval(() => { for (let i = 0; i < 10; i++) subscribe(); }, 10); setTimeout(() => process.exit(0), 60_000);

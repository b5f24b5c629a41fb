async function worker() { for (let i = 0; i < 20; i++) await new Promise((r) => setTimeout(r, 50)); } worker(); worker();
const { once, EventEmitter } = require('events'); const e = new EventEmitter(); (async () => { await once(e, 'done'); })(); setTimeout(() => e.emit('done'), 1200);

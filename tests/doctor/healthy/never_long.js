// Promises that settle late, but do.
const { setTimeout: sleep } = require('node:timers/promises'); const { once, EventEmitter } = require('node:events');
const bus = new EventEmitter(); async function waits() { await once(bus, 'go'); } async function sleeps() { await sleep(3500); bus.emit('go'); }
waits(); sleeps(); Promise.race([sleep(10), sleep(2000)]);

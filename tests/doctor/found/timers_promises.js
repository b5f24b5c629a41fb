// expect timer-flood poller
const { setTimeout: sleep } = require('node:timers/promises');
const end = Date.now() + 60_000; let n = 0;
async function poller() { while (Date.now() < end) { await sleep(1); n++; } }
for (let i = 0; i < 6000; i++) poller();

// S39: the timers phase has no limit on callbacks: a hundred thousand expired timers all run before the phase ends.
const count = 100_000;
let fired = 0;
for (let i = 0; i < count; i++) setTimeout(() => { fired++; }, 1);
setImmediate(() => console.log('timers fired before the first check phase:', fired));

const end = Date.now() + 20;
while (Date.now() < end);

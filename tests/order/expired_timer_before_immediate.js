// S80, S69, S171: if the timer has expired when the loop starts, it goes first and the immediate follows in check.
setImmediate(() => console.log('immediate'));
setTimeout(() => console.log('timeout'), 0);
const end = process.hrtime.bigint() + 5_000_000n;
while (process.hrtime.bigint() < end);

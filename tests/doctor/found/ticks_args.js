// expect tick-recursion step
function step(left, done) { if (left === 0) return done(); process.nextTick(step, left - 1, done); }
setTimeout(() => step(2e7, () => console.log('done')), 10); setTimeout(() => {}, 20);

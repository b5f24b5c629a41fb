// A day passes at once, and the clocks agree.
// outcome: 86400000 86400000 86400000
const begin = [Date.now(), performance.now(), process.hrtime.bigint()];
setTimeout(() => {
  console.log(Date.now() - begin[0], Math.floor(performance.now() - begin[1]), String((process.hrtime.bigint() - begin[2]) / 1000000n));
}, 86_400_000);

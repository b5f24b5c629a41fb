// S114: an interval's callback joins the timers phase n milliseconds after the last; ten repeats, none early.
const period = 3;
let previous = process.hrtime.bigint();
let count = 0;
let early = 0;
const interval = setInterval(() => {
  const now = process.hrtime.bigint();
  if (Number(now - previous) / 1e6 < period - 1) early++;
  previous = now;
  if (++count === 10) {
    clearInterval(interval);
    console.log('repeats', count, 'early', early);
  }
}, period);

// S37, S42, S46: each phase has a queue of its own, first in, first out; intervals and time-outs share the timers phase.
const out = [];
const interval = setInterval(() => {
  out.push('interval');
  clearInterval(interval);
}, 2);
for (let i = 1; i <= 3; i++) {
  setImmediate(() => out.push(`immediate ${i}`));
  setTimeout(() => out.push(`timeout ${i}`), 2);
}
const end = Date.now() + 10;
while (Date.now() < end);

process.on('exit', () => console.log(out.join('\n')));

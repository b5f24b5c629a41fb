// A callback may clear timers and immediates of its own visit that have not run yet.
const out = [];
const timers = [];
const immediates = [];
setTimeout(() => {
  out.push('timer 0');
  clearTimeout(timers[1]);
}, 1);
for (let i = 0; i < 3; i++) timers.push(setTimeout(() => out.push(`timer ${i + 1}`), 1));
setImmediate(() => {
  out.push('immediate 0');
  clearImmediate(immediates[0]);
});
for (let i = 0; i < 2; i++) immediates.push(setImmediate(() => out.push(`immediate ${i + 1}`)));
const interval = setInterval(() => {
  out.push('interval');
  clearInterval(interval);
}, 1);
const end = Date.now() + 5;
while (Date.now() < end);
process.on('exit', () => console.log(out.join('\n')));

// S84, S95: a tick comes before an immediate from every context: script, timer, immediate, tick, microtask.
const out = [];
const both = (where) => {
  setImmediate(() => out.push(`${where}: immediate`));
  process.nextTick(() => out.push(`${where}: tick`));
};

both('script');
setTimeout(() => both('timer'), 1);
setImmediate(() => both('check'));
process.nextTick(() => both('tick'));
Promise.resolve().then(() => both('microtask'));

process.on('exit', () => {
  for (const where of ['script', 'timer', 'check', 'tick', 'microtask'])
    console.log(where, out.indexOf(`${where}: tick`) < out.indexOf(`${where}: immediate`) ? 'tick first' : 'immediate first');
});

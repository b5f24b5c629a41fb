// A timer started by a timer waits for a later visit, even with a delay that is over before this visit ends.
const out = [];
setTimeout(() => {
  out.push('outer 1');
  setTimeout(() => out.push('inner'), 1);
  const end = Date.now() + 5;
  while (Date.now() < end);
}, 1);
setTimeout(() => {
  out.push('outer 2');
  setImmediate(() => out.push('immediate'));
}, 1);
const end = Date.now() + 5;
while (Date.now() < end);
process.on('exit', () => console.log(out.join('\n')));

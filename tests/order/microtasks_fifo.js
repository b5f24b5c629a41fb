// S122: microtasks are first in, first out, whoever queued them.
const out = [];
for (let i = 1; i <= 10; i++) {
  if (i % 2) queueMicrotask(() => out.push(i));
  else Promise.resolve().then(() => out.push(i));
}
process.on('exit', () => console.log(out.join(' ')));

// S11: a 200 ms callback is never interrupted, though timers, immediates, ticks and microtasks are all ready.
let changed = 0;
const touch = () => { changed++; };

setTimeout(function busy() {
  setTimeout(touch, 1);
  setTimeout(touch, 10);
  setImmediate(touch);
  process.nextTick(touch);
  Promise.resolve().then(touch);
  const end = Date.now() + 200;
  while (Date.now() < end);
  console.log('changed while busy:', changed);
}, 1);

process.on('exit', () => console.log('changed in the end:', changed));

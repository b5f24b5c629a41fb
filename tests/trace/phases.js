// S1, S6, S36, S37, S42, S46, S67: a hundred iterations with timers, immediates, a file operation, ticks and microtasks in each.
const fs = require('node:fs');
let left = 100;
setImmediate(function check() {
  setTimeout(function timer() {}, 0);
  fs.stat(__filename, function poll() {});
  process.nextTick(function tick() {});
  Promise.resolve().then(function reaction() {});
  if (--left) setImmediate(check);
});
const interval = setInterval(function interval_() {
  if (!left) clearInterval(interval);
}, 1);

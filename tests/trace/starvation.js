// S83, S95, S123: two recursions that starve the loop, one of ticks, one of promise reactions; each is found, named and measured.
const rounds = 12000;
setTimeout(function due() {}, 0);
let ticks = rounds;
process.nextTick(function tickAgain() {
  if (--ticks) process.nextTick(tickAgain);
});
setImmediate(function later() {
  let reactions = rounds;
  (function promiseAgain() {
    if (--reactions) Promise.resolve().then(promiseAgain);
  })();
});

// S83, S123, S124: three recursions of twenty rounds, one after the other.
const rounds = 20;
let left = rounds;
setImmediate(function again() {
  if (--left) return setImmediate(again);
  let ticks = rounds;
  process.nextTick(function tickAgain() {
    if (--ticks) return process.nextTick(tickAgain);
    let promises = rounds;
    (function promiseAgain() {
      if (--promises) Promise.resolve().then(promiseAgain);
    })();
  });
});

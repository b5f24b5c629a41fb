// S124, S84: recursion through setImmediate comes back an iteration later each time, so a timer gets in between.
let turns = 0;
let stop = false;
setTimeout(() => { stop = true; }, 5);
setImmediate(function again() {
  turns++;
  if (!stop) setImmediate(again);
  else console.log('the timer ran between immediates:', turns > 1);
});

// S124, S84: recursion through setImmediate comes back an iteration later each time, so a timer gets in between.
let turns = 0;
let turnsAtTimer = 0;
setImmediate(function again() {
  if (turns++ === 0) setTimeout(() => { turnsAtTimer = turns; }, 2);
  if (turnsAtTimer === 0) setImmediate(again);
  else console.log('the timer ran between immediates:', turns === turnsAtTimer + 1);
});

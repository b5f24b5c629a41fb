// S81, S84, S102, S103: ticks and immediates queued from the script, a timer and an immediate.
process.nextTick(function tickOfScript() {});
setImmediate(function immediateOfScript() {});
setTimeout(function inTimer() {
  process.nextTick(function tickOfTimer() {});
  setImmediate(function immediateOfTimer() {});
}, 1);
setTimeout(function nextTimer() {}, 1);
setImmediate(function inCheck() {
  process.nextTick(function tickOfCheck() {});
  setImmediate(function immediateOfCheck() {});
});
setImmediate(function nextCheck() {});
const end = Date.now() + 5;
while (Date.now() < end);

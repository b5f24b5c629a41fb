// An interval's repetitions are tasks of their own; so is the second run of a timer that is refreshed when it is over.
let left = 3;
const interval = setInterval(function again() {
  if (--left === 0) clearInterval(interval);
}, 1);
let refreshed = false;
const timer = setTimeout(function twice() {
  if (!refreshed) timer.refresh();
  refreshed = true;
}, 1);

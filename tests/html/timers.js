// S181: a timer is a task of the timer source. Zero is allowed; from the seventh level on a nested timer waits 4 ms.
let level = 0;
setTimeout(() => console.log('one', performance.now()), 1);
setTimeout(() => console.log('zero', performance.now()), 0);
setTimeout(function next() {
  console.log('level', ++level, performance.now());
  if (level < 9) setTimeout(next);
});
let times = 0;
const interval = setInterval((word) => {
  console.log('interval', word, performance.now());
  if (++times === 3) clearInterval(interval);
}, 10, 'argument');
clearTimeout(setTimeout(() => console.log('never'), 2));
setTimeout("console.log('from a string')", 3);

// S117: ticks and microtasks run between two timers of one phase.
setTimeout(() => {
  console.log('t1');
  process.nextTick(() => console.log('n1'));
  Promise.resolve().then(() => console.log('m1'));
}, 0);
setTimeout(() => console.log('t2'), 0);
const end = Date.now() + 5;
while (Date.now() < end);

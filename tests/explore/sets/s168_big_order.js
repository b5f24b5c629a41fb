// S168: the first text that a program prints takes longer than a millisecond, so the timer is due when the loop starts.
// outcome: next tick1 next tick2 next tick3 promise1 resolved promise2 resolved promise3 resolved promise4 resolved promise5 resolved next tick inside promise resolve handler set timeout set immediate1 set immediate2 set immediate3 set immediate4
for (let i = 1; i <= 5; i++) {
  Promise.resolve().then(() => {
    console.log(`promise${i} resolved`);
    if (i === 3) process.nextTick(() => console.log('next tick inside promise resolve handler'));
  });
}
setImmediate(() => console.log('set immediate1'));
setImmediate(() => console.log('set immediate2'));
for (let i = 1; i <= 3; i++) process.nextTick(() => console.log(`next tick${i}`));
setTimeout(() => console.log('set timeout'), 0);
setImmediate(() => console.log('set immediate3'));
setImmediate(() => console.log('set immediate4'));

// S168, S171: the same without pinning the clock: the timer comes before all immediates or after all of them.
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

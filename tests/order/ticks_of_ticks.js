// S82, S88: ticks queued by ticks run before the loop goes on, and before its first phase.
setTimeout(() => console.log('timer'), 1);
setImmediate(() => console.log('immediate'));
process.nextTick(() => {
  console.log('tick 1');
  process.nextTick(() => {
    console.log('tick 1.1');
    process.nextTick(() => console.log('tick 1.1.1'));
  });
});
process.nextTick(() => console.log('tick 2'));
const end = Date.now() + 5;
while (Date.now() < end);
console.log('script');

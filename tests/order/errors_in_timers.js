// Errors: a throwing timer that is handled does not disturb the others of its visit.
process.on('uncaughtException', (error) => console.log('caught', error.message));
setTimeout(() => {
  process.nextTick(() => console.log('tick of the first'));
  throw new Error('first');
}, 1);
setTimeout(() => console.log('second'), 1);
setTimeout(() => { throw new Error('third'); }, 1);
setTimeout(() => console.log('fourth'), 1);
const end = Date.now() + 5;
while (Date.now() < end);

// Errors: what still runs, and in which order, when a tick, a timer, an immediate and a microtask throw and are handled.
process.on('uncaughtException', (error) => console.log('caught', error.message));
setTimeout(() => {
  process.nextTick(() => console.log('tick of the first'));
  throw new Error('first');
}, 1);
setTimeout(() => console.log('second'), 1);
setTimeout(() => { throw new Error('third'); }, 1);
setImmediate(() => { throw new Error('in an immediate'); });
setImmediate(() => console.log('next immediate'));
process.nextTick(() => { throw new Error('in a tick'); });
process.nextTick(() => console.log('next tick'));
queueMicrotask(() => { throw new Error('in a microtask'); });
queueMicrotask(() => console.log('next microtask'));
const end = Date.now() + 5;
while (Date.now() < end);

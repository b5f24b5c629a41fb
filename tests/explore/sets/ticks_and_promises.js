// Ticks, then microtasks, whatever the world does.
// outcome: tick promise micro immediate
setImmediate(() => console.log('immediate'));
queueMicrotask(() => console.log('promise'));
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('micro'));

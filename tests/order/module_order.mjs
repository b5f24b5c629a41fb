// In an ES module the body runs as a microtask job: promises queued by it go before its ticks.
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('promise'));
queueMicrotask(() => console.log('microtask'));
setImmediate(() => console.log('immediate'));
console.log('module');
await null;
console.log('after await');

// S119, S169: a tick goes before a promise reaction that was queued earlier.
Promise.resolve().then(() => console.log('promise, queued first'));
queueMicrotask(() => console.log('microtask, queued second'));
process.nextTick(() => console.log('tick, queued last'));

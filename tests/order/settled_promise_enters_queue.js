// S118, S120: a reaction enters the queue when its promise settles (registered before) or at once (registered after).
let settle;
const promise = new Promise((resolve) => { settle = resolve; });
promise.then(() => console.log('registered before settling'));
queueMicrotask(() => console.log('queued before settling'));
settle();
queueMicrotask(() => console.log('queued after settling'));
promise.then(() => console.log('registered after settling'));

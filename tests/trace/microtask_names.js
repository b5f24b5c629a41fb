// S118: the engine queues its jobs in our queue, one for all; they carry the name of what they resume or call: an async function, a handler, a callback.
async function waits() { await 0; await new Promise((resolve) => setImmediate(resolve)); }
waits().then(function handled() {});
queueMicrotask(function called() {});

// S34, S88, S106, S116: a script that queues one of everything.
setTimeout(function timer() {}, 0);
setImmediate(function immediate() {});
process.nextTick(function tick() {});
Promise.resolve().then(function reaction() {});

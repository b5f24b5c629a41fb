// What has no function of its own is called by what it settles, by the await that goes on, or by who queued it.
const { AsyncLocalStorage } = require('node:async_hooks');

function sleep() {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

async function main() {
  await sleep();
  await sleep();
}
main();

let settle;
new Promise((resolve) => { settle = resolve; });
function later() { setImmediate(settle); }
later();

function greet() {}
setImmediate(greet.bind(null, 'you'));

new AsyncLocalStorage().run({}, () => {
  process.nextTick(function tickInContext() {});
  queueMicrotask(function microtaskInContext() {});
});

// Adopting a promise takes a step of the engine's own.
function adopts() { return Promise.resolve().then(() => Promise.resolve()); }
adopts();

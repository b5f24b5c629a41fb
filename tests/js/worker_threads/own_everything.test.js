// A worker has a stack, a heap and a queue of its own (S26): its globals are others, what it keeps shows in its own figures and not here, its
// stack overflows alone, and a loop that keeps it busy delays nothing here.
'use strict';
const assert = require('node:assert');
const { once } = require('node:events');
const { Worker } = require('node:worker_threads');

const start = (text) => new Worker(`const { parentPort, workerData } = require('node:worker_threads');${text}`, { eval: true });

async function globals() {
  globalThis.mine = 1;
  const worker = start("globalThis.mine ??= 2; Array.prototype.theirs = () => {}; parentPort.postMessage([mine, 'theirs' in []])");
  assert.deepStrictEqual((await once(worker, 'message'))[0], [2, true]);
  assert.deepStrictEqual([globalThis.mine, 'theirs' in []], [1, false]);
}

async function heaps() {
  const worker = start("parentPort.once('message', () => { globalThis.kept = Array.from({ length: 3e5 }, (_, i) => ({ i })); parentPort.postMessage('full'); parentPort.on('message', () => {}) })");
  await once(worker, 'online');
  const theirs = (await worker.getHeapStatistics()).used_heap_size;
  const own = process.memoryUsage().heapUsed;
  worker.postMessage('fill');
  await once(worker, 'message');
  const grown = (await worker.getHeapStatistics()).used_heap_size - theirs;
  assert(grown > 6e6, `the worker's heap grew by ${grown}`);
  assert(process.memoryUsage().heapUsed - own < grown / 2);
  await worker.terminate();
}

async function stacks() {
  const worker = start("try { (function f() { f() })() } catch (error) { parentPort.postMessage(error.name) }");
  const depth = (n) => (n === 0 ? 0 : 1 + depth(n - 1));
  assert.strictEqual(depth(3000), 3000);
  assert.strictEqual((await once(worker, 'message'))[0], 'RangeError');
}

// The longest pause between two callbacks of a timer, of fifty.
function longestPause() {
  return new Promise((resolve) => {
    let longest = 0, count = 0, last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
      if (++count < 50) return;
      clearInterval(timer);
      resolve(longest);
    }, 1);
  });
}

// While a worker computes until it is told to end, pauses here are below 20 ms, or, on a machine busy with other things, no longer than
// without the worker.
async function pauses() {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker("const { parentPort, workerData } = require('node:worker_threads'); parentPort.postMessage(0); while (!Atomics.load(workerData, 0));",
    { eval: true, workerData: flag });
  await once(worker, 'message');
  let shortest = Infinity;
  for (let i = 0; i < 10 && shortest >= 20; i++) shortest = Math.min(shortest, await longestPause());
  Atomics.store(flag, 0, 1);
  await once(worker, 'exit');
  if (shortest < 20) return;
  let alone = 0;
  for (let i = 0; i < 10; i++) alone = Math.max(alone, await longestPause());
  assert(shortest <= 2 * alone, `${shortest} ms, without a worker ${alone} ms`);
}

let done = false;
(async () => {
  await globals();
  await heaps();
  await stacks();
  await pauses();
  done = true;
})();
process.on('exit', () => assert(done));

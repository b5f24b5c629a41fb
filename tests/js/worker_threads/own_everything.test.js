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

// The longest pause between two callbacks here while the worker computes for a second. A machine busy with other things gets ten tries.
async function pauses() {
  let shortest = Infinity;
  for (let i = 0; i < 10 && shortest >= 20; i++) {
    const worker = start("parentPort.postMessage('begin'); for (const end = Date.now() + 1000; Date.now() < end;); parentPort.postMessage('end')");
    await once(worker, 'message');
    let longest = 0, last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 1);
    await once(worker, 'message');
    clearInterval(timer);
    shortest = Math.min(shortest, longest);
  }
  assert(shortest < 20, `${shortest} ms`);
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

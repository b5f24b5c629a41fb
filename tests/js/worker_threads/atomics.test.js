// Memory that threads share: Atomics.wait and notify, waitAsync with and without a time-out, WebAssembly's modules and memories.
'use strict';
const assert = require('node:assert');
const { once } = require('node:events');
const { Worker } = require('node:worker_threads');

async function waiting() {
  const cells = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(`const { workerData: cells, parentPort } = require('node:worker_threads');
    const how = Atomics.wait(cells, 0, 0);
    Atomics.store(cells, 1, 1); Atomics.notify(cells, 1); parentPort.postMessage(how);`, { eval: true, workerData: cells });
  await once(worker, 'online');
  const answer = Atomics.waitAsync(cells, 1, 0);
  assert.strictEqual(answer.async, true);
  // It may not wait yet: the value tells it then.
  Atomics.store(cells, 0, 1);
  Atomics.notify(cells, 0);
  const [how] = await once(worker, 'message');
  assert(how === 'ok' || how === 'not-equal', how);
  assert.strictEqual(await answer.value, 'ok');
}

async function timeouts() {
  const cells = new Int32Array(new SharedArrayBuffer(4));
  const keep = setInterval(() => {}, 1000);
  const began = performance.now();
  const order = [];
  // Far from each other: a busy machine may let some time pass between two of them.
  const waits = [2000, 10, 1000].map((ms) => Atomics.waitAsync(cells, 0, 0, ms).value.then((how) => order.push([ms, how])));
  await Promise.all(waits);
  assert.deepStrictEqual(order, [[10, 'timed-out'], [1000, 'timed-out'], [2000, 'timed-out']]);
  assert(performance.now() - began >= 1999);
  const woken = Atomics.waitAsync(cells, 0, 0, 60000);
  assert.strictEqual(Atomics.notify(cells, 0), 1);
  assert.strictEqual(await woken.value, 'ok');
  const big = new BigInt64Array(new SharedArrayBuffer(8));
  assert.strictEqual(await Atomics.waitAsync(big, 0, 0n, 1).value, 'timed-out');
  assert.deepStrictEqual({ ...Atomics.waitAsync(cells, 0, 1, 10) }, { async: false, value: 'not-equal' });
  clearInterval(keep);
}

async function webAssembly() {
  // (module (func (export "add") (param i32 i32) (result i32) local.get 0 local.get 1 i32.add))
  const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 2, 127, 127, 1, 127, 3, 2, 1, 0, 7, 7, 1, 3, 97, 100, 100, 0, 0, 10, 9, 1, 7, 0,
    32, 0, 32, 1, 106, 11]);
  const module = new WebAssembly.Module(bytes);
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 4, shared: true });
  const worker = new Worker(`const { workerData: { module, memory }, parentPort } = require('node:worker_threads');
    new Uint8Array(memory.buffer)[5] = new WebAssembly.Instance(module).exports.add(40, 2);
    parentPort.postMessage([module instanceof WebAssembly.Module, memory instanceof WebAssembly.Memory, memory.grow(1)]);`,
    { eval: true, workerData: { module, memory } });
  assert.deepStrictEqual(await once(worker, 'message'), [[true, true, 1]]);
  assert.strictEqual(new Uint8Array(memory.buffer)[5], 42);
  assert.strictEqual(memory.buffer.byteLength, 2 << 16);
  assert.throws(() => structuredClone(new WebAssembly.Memory({ initial: 1 })), { name: 'DataCloneError' });
  assert.strictEqual(new WebAssembly.Instance(structuredClone(module)).exports.add(1, 2), 3);
}

let done = false;
(async () => {
  await waiting();
  await timeouts();
  await webAssembly();
  done = true;
})();
process.on('exit', () => assert(done));

// Messages are copies, arrive in the order of sending, one task each, and only what is transferred moves (S12, S28, S29).
'use strict';
const assert = require('node:assert');
const { once } = require('node:events');
const { Worker, MessageChannel } = require('node:worker_threads');

const echo = () => new Worker("const { parentPort } = require('node:worker_threads'); parentPort.on('message', (m) => parentPort.postMessage(m))", { eval: true });

async function copies() {
  const worker = new Worker(`const { parentPort } = require('node:worker_threads');
    parentPort.once('message', (m) => { m.list.push('worker'); m.inner.changed = true; parentPort.postMessage(m); })`, { eval: true });
  const sent = { list: [1], inner: {} };
  worker.postMessage(sent);
  const [back] = await once(worker, 'message');
  assert.deepStrictEqual(sent, { list: [1], inner: {} });
  assert.deepStrictEqual(back, { list: [1, 'worker'], inner: { changed: true } });
  assert.throws(() => worker.postMessage(() => {}), { name: 'DataCloneError', code: 25 });
  await once(worker, 'exit');
  worker.postMessage('nobody reads this');
}

async function order() {
  const worker = echo();
  const count = 5000;
  const got = [];
  const done = new Promise((resolve) => {
    worker.on('message', (n) => {
      got.push(n);
      Promise.resolve().then(() => got.push(-n));
      if (n === count) setImmediate(resolve);
    });
  });
  for (let i = 1; i <= count; i++) worker.postMessage(i);
  await done;
  const expected = [];
  for (let i = 1; i <= count; i++) expected.push(i, -i);
  assert.deepStrictEqual(got, expected);
  assert.strictEqual(await worker.terminate(), 1);
}

async function transfers() {
  const worker = echo();
  const buffer = new Uint8Array([1, 2, 3]).buffer;
  worker.postMessage(buffer, [buffer]);
  assert.strictEqual(buffer.byteLength, 0);
  assert.deepStrictEqual(new Uint8Array((await once(worker, 'message'))[0]), new Uint8Array([1, 2, 3]));

  const shared = new SharedArrayBuffer(4);
  worker.postMessage(shared);
  const [same] = await once(worker, 'message');
  new Uint8Array(shared)[0] = 7;
  assert.strictEqual(new Uint8Array(same)[0], 7);

  // Both ports of a channel go to workers, with what waits in one; neither worker is ours to talk to any more.
  const { port1, port2 } = new MessageChannel();
  port2.postMessage('waited');
  const answer = `const { parentPort, workerData } = require('node:worker_threads');
    workerData.on('message', (m) => { parentPort.postMessage(m); workerData.postMessage(m + ' answered'); workerData.close(); })`;
  const first = new Worker(answer, { eval: true, workerData: port1, transferList: [port1] });
  const second = new Worker(answer, { eval: true, workerData: port2, transferList: [port2] });
  const ends = Promise.all([once(first, 'exit'), once(second, 'exit')]);
  assert.deepStrictEqual(await Promise.all([once(first, 'message'), once(second, 'message')]), [['waited'], ['waited answered']]);
  assert.deepStrictEqual(await ends, [[0], [0]]);
  await worker.terminate();
}

// Without a listener the port of a worker holds what comes; it keeps nobody alive.
async function unheard() {
  const silent = new Worker("require('node:worker_threads').parentPort", { eval: true });
  silent.postMessage('held');
  assert.deepStrictEqual(await once(silent, 'exit'), [0]);
  const late = new Worker(`const { parentPort } = require('node:worker_threads');
    setTimeout(() => parentPort.once('message', (m) => parentPort.postMessage([m, 'held'])), 5)`, { eval: true });
  late.postMessage('first');
  assert.deepStrictEqual((await once(late, 'message'))[0], ['first', 'held']);
  await once(late, 'exit');
}

async function failures() {
  const worker = new Worker(`const { parentPort } = require('node:worker_threads');
    parentPort.on('messageerror', () => {}); parentPort.once('message', () => {});
    try { parentPort.postMessage(Symbol()) } catch (e) { parentPort.postMessage(e.name) }`, { eval: true });
  assert.deepStrictEqual(await once(worker, 'message'), ['DataCloneError']);
  worker.postMessage(0);
  await once(worker, 'exit');
}

let done = false;
(async () => {
  await copies();
  await order();
  await transfers();
  await unheard();
  await failures();
  done = true;
})();
process.on('exit', () => assert(done));

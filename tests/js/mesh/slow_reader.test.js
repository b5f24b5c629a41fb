'use strict';
// Memory is bounded although a reader sleeps: a channel drops (at most once), a queue makes push() wait. RONDO_OFFERED: how many messages are offered.
const assert = require('node:assert');
const { Worker } = require('node:worker_threads');
const { complete, onBoth, until } = require('../../fixtures/mesh');
const { channel, close, connect, flush } = require('rondo:mesh');

const kOffered = Number(process.env.RONDO_OFFERED ?? 150_000);
const text = 'x'.repeat(1000);
const rss = () => process.memoryUsage().rss / 2 ** 20;

// A worker that listens to a channel and then sleeps until it is told.
const kSleeper = `
const { parentPort, workerData } = require('node:worker_threads');
const { channel, flush } = require('rondo:mesh');
const noise = channel('noise');
let count = 0;
noise.onmessage = ({ data }) => data === 'end' ? parentPort.postMessage(count) : count++;
flush().then(() => {
  parentPort.postMessage('listens');
  setImmediate(() => Atomics.wait(workerData, 0, 0));
});`;

async function sleepingThread() {
  const wake = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(kSleeper, { eval: true, workerData: wake });
  await new Promise((resolve) => worker.once('message', resolve));
  const noise = channel('noise');
  await flush();
  const before = rss();
  for (let i = 0; i < kOffered; i++) {
    noise.postMessage({ i, text });
    if (i % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const grown = rss() - before;
  assert.ok(grown < 400, `${grown.toFixed(0)} MB more for ${kOffered} messages of 1 kB to a thread that sleeps`);
  const counted = new Promise((resolve) => worker.once('message', resolve));
  Atomics.store(wake, 0, 1);
  Atomics.notify(wake, 0);
  // Messages that are sent when it reads again arrive.
  let count;
  counted.then((value) => (count = value));
  await until(() => {
    noise.postMessage('end');
    return count !== undefined;
  });
  assert.ok(count > 1000 && count <= kOffered, `${count} arrived`);
  noise.close();
  await worker.terminate();
  await close();
}

// Jobs that nobody takes: push() waits at the limit.
async function sleepingWorker({ connect: join }) {
  const mesh = await join();
  const queue = mesh.queue('noise', { limit: 500 });
  let pushed = 0;
  const stop = new AbortController();
  const pushing = Array.from({ length: 20 }, async () => {
    for (;;) {
      await queue.push({ text }, { signal: stop.signal });
      pushed++;
    }
  });
  await until(() => pushed === 500);
  await mesh.flush();
  assert.strictEqual(pushed, 500);
  stop.abort(new Error('enough'));
  for (const { reason } of await Promise.allSettled(pushing)) assert.match(reason.message, /enough/);
  assert.strictEqual(await queue.count(), 500);
}

complete(async () => {
  assert.strictEqual(typeof connect, 'function');
  await sleepingThread();
  await onBoth(sleepingWorker);
});

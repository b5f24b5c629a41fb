'use strict';
// Memory is bounded although a reader sleeps: a channel drops (at most once), a queue makes push() wait. RONDO_OFFERED: how many messages are offered.
const assert = require('node:assert');
const fs = require('node:fs');
const { Worker } = require('node:worker_threads');
const { complete, hasNats, onBoth, startNats, until } = require('../../fixtures/mesh');
const { connect } = require('rondo:mesh');

const kOffered = Number(process.env.RONDO_OFFERED ?? 150_000);
const filling = 'x'.repeat(1000);
const rss = () => process.memoryUsage().rss / 2 ** 20;

// A worker that listens to a channel and then sleeps until it is told.
const kSleeper = `
const { parentPort, workerData } = require('node:worker_threads');
const { connect } = require('rondo:mesh');
const { wake, options } = workerData;
connect(options).then(async (mesh) => {
  const noise = mesh.channel('noise');
  let count = 0;
  noise.onmessage = ({ data }) => data === 'end' ? parentPort.postMessage(count) : count++;
  await mesh.flush();
  parentPort.postMessage('listens');
  setImmediate(() => Atomics.wait(wake, 0, 0));
});`;

const serverMemory = ({ child }) => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${child.pid}/status`, 'latin1'))[1]) / 1024;

// server: undefined for the embedded mesh.
async function sleepingThread(server) {
  const wake = new Int32Array(new SharedArrayBuffer(4));
  const options = server === undefined ? {} : { servers: server.url };
  const worker = new Worker(kSleeper, { eval: true, workerData: { wake, options } });
  await new Promise((resolve) => worker.once('message', resolve));
  const mesh = await connect(options);
  const noise = mesh.channel('noise');
  await mesh.flush();
  const before = rss();
  let most = 0,
    mostOfServer = 0;
  const curve = []; // of ten parts of the run
  for (let i = 0; i < kOffered; i++) {
    noise.postMessage({ i, text: filling });
    if (i % 1000 > 0) continue;
    await (server === undefined ? new Promise((resolve) => setImmediate(resolve)) : mesh.flush());
    if (i % 10_000 > 0) continue;
    const more = rss() - before;
    most = Math.max(most, more);
    if (i % (kOffered / 10) === 0) curve.push(more.toFixed(0));
    if (server !== undefined) mostOfServer = Math.max(mostOfServer, serverMemory(server));
  }
  const text = `${kOffered} messages of 1 kB to a thread that sleeps: ${most.toFixed(0)} MB more here, ${mostOfServer.toFixed(0)} MB in the server`;
  if (process.env.RONDO_OFFERED !== undefined) console.log(`${text}; after each tenth ${curve.join(', ')} MB`);
  assert.ok(most < 400 && mostOfServer < 600, text);
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
  const least = server === undefined ? 1000 : 0; // a server drops the waiting ones with the connection
  assert.ok(count > least && count <= kOffered, `${count} arrived`);
  await mesh.close();
  await worker.terminate();
}

// Jobs that nobody takes: push() waits at the limit.
async function sleepingWorker({ connect: join }) {
  const mesh = await join();
  const queue = mesh.queue('noise', { limit: 500 });
  let pushed = 0;
  const stop = new AbortController();
  const pushing = Array.from({ length: 20 }, async () => {
    for (;;) {
      await queue.push({ text: filling }, { signal: stop.signal });
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
  await sleepingThread(undefined);
  if (hasNats) {
    const server = await startNats({ config: 'write_deadline: "1s"' }); // after which a reader that does not read is cut off
    await sleepingThread(server);
    await server.stop();
  }
  await onBoth(sleepingWorker);
});

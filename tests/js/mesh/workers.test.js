'use strict';
// The embedded mesh joins the threads of a process: the main one does not have to use it, and jobs of a worker that ends come again.
const assert = require('node:assert');
const { Worker, isMainThread, workerData } = require('node:worker_threads');

async function inWorker() {
  const { call, channel, queue, serve } = require('rondo:mesh');
  if (workerData === 'server') {
    await serve('square', (n) => n * n);
    const news = channel('news');
    news.onmessage = ({ data }) => news.postMessage({ heard: data });
    return;
  }
  if (workerData === 'client') {
    const news = channel('news');
    const heard = new Promise((resolve) => (news.onmessage = ({ data }) => resolve(data)));
    const { mesh } = require('rondo:mesh');
    for (;;) {
      try {
        assert.strictEqual(await call('square', 12), 144);
        break;
      } catch (error) {
        if (error.code !== 'ERR_MESH_NO_SERVER') throw error; // the other has not come so far
      }
    }
    await mesh.flush();
    news.postMessage('hello');
    assert.deepStrictEqual(await heard, { heard: 'hello' });
    for (let i = 0; i < 5; i++) await queue('work').push(i);
    news.close();
    return;
  }
  // 'taker': takes jobs, and never does them
  const jobs = queue('work').work({ concurrency: 3 });
  for (let i = 0; i < 3; i++) await jobs.next();
  require('node:worker_threads').parentPort.postMessage('taken');
  await jobs.next();
}

function ended(worker) {
  return new Promise((resolve, reject) => {
    worker.on('error', reject);
    worker.on('exit', resolve);
  });
}

async function main() {
  const server = new Worker(__filename, { workerData: 'server' });
  const client = new Worker(__filename, { workerData: 'client' });
  assert.strictEqual(await ended(client), 0);
  const taker = new Worker(__filename, { workerData: 'taker' });
  await new Promise((resolve) => taker.once('message', resolve));
  await taker.terminate();
  const { call, close, queue } = require('rondo:mesh');
  assert.strictEqual(await call('square', 3), 9);
  const got = [];
  for await (const job of queue('work').work()) {
    got.push(job.value);
    await job.done();
    if (got.length === 5) break;
  }
  assert.deepStrictEqual(
    got.sort((a, b) => a - b),
    [0, 1, 2, 3, 4],
  );
  await close();
  await server.terminate();
}

if (isMainThread) require('../../fixtures/mesh').complete(main);
else inWorker();

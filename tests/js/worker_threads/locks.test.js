// Named locks among threads (https://w3c.github.io/web-locks/), and messages to a thread by its number.
'use strict';
const assert = require('node:assert');
const { once } = require('node:events');
const { Worker, locks, postMessageToThread, setEnvironmentData } = require('node:worker_threads');

async function within() {
  const order = [];
  const shared = (n) => locks.request('a', { mode: 'shared' }, async (lock) => {
    assert.deepStrictEqual([lock.name, lock.mode], ['a', 'shared']);
    order.push(`+${n}`);
    await new Promise((resolve) => setImmediate(resolve));
    order.push(`-${n}`);
    return n;
  });
  const all = [shared(1), shared(2), locks.request('a', () => order.push('alone')), shared(3)];
  assert.deepStrictEqual(await Promise.all(all), [1, 2, 5, 3]);
  assert.deepStrictEqual(order, ['+1', '+2', '-1', '-2', 'alone', '+3', '-3']);
  await locks.request('a', async () => {
    assert.strictEqual(await locks.request('a', { ifAvailable: true }, (lock) => lock), null);
    const { held, pending } = await locks.query();
    assert.deepStrictEqual(held, [{ name: 'a', mode: 'exclusive', clientId: held[0].clientId }]);
    assert.deepStrictEqual(pending, []);
    const controller = new AbortController();
    const waits = locks.request('a', { signal: controller.signal }, () => assert.fail());
    controller.abort();
    await assert.rejects(waits, { name: 'AbortError' });
  });
  const stolen = assert.rejects(locks.request('a', () => new Promise(() => {})), { name: 'AbortError' });
  await locks.request('a', { steal: true }, () => {});
  await stolen;
  await assert.rejects(locks.request('a', () => { throw new Error('own'); }), { message: 'own' });
  await assert.rejects(locks.request('-a', () => {}), { name: 'NotSupportedError' });
  assert.strictEqual(navigator.locks, locks);
}

// A worker that is ended gives back what it held.
async function between() {
  setEnvironmentData('lock name', 'b');
  const worker = new Worker(`const { locks, getEnvironmentData, parentPort } = require('node:worker_threads');
    locks.request(getEnvironmentData('lock name'), () => { parentPort.postMessage('held'); return new Promise(() => {}) });
    setInterval(() => {}, 1000)`, { eval: true });
  await once(worker, 'message');
  assert.strictEqual(await locks.request('b', { ifAvailable: true }, (lock) => lock), null);
  const waits = locks.request('b', (lock) => lock.name);
  await worker.terminate();
  assert.strictEqual(await waits, 'b');
}

async function threads() {
  const worker = new Worker(`const { parentPort, postMessageToThread, threadId } = require('node:worker_threads');
    process.on('workerMessage', (value, source) => {
      if (value === 'throw') throw new Error('expected');
      postMessageToThread(source, [value, source, threadId]);
    });
    parentPort.on('message', () => {}); parentPort.postMessage('up');`, { eval: true });
  await once(worker, 'message');
  const id = worker.threadId;
  const answer = once(process, 'workerMessage');
  await postMessageToThread(id, 'hello');
  assert.deepStrictEqual(await answer, [['hello', 0, id], id]);
  await assert.rejects(postMessageToThread(id, 'throw'), { code: 'ERR_WORKER_MESSAGING_ERRORED' });
  await assert.rejects(postMessageToThread(0, 'x'), { code: 'ERR_WORKER_MESSAGING_SAME_THREAD' });
  await assert.rejects(postMessageToThread(id + 1000, 'x'), { code: 'ERR_WORKER_MESSAGING_FAILED' });
  await worker.terminate();
  await assert.rejects(postMessageToThread(id, 'x'), { code: 'ERR_WORKER_MESSAGING_FAILED' });
}

let done = false;
(async () => {
  await within();
  await between();
  await threads();
  done = true;
})();
process.on('exit', () => assert(done));

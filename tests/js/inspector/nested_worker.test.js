'use strict';
// A worker of a worker reaches the main thread's inspector, which nothing has asked for before.
const assert = require('node:assert');
const { Session } = require('node:inspector');
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');

globalThis.place = isMainThread ? 'main' : `worker ${workerData}`;
if (isMainThread) {
  new Worker(__filename, { workerData: 1 }).on('message', (answer) => {
    assert.strictEqual(answer, 'main');
    console.log('ok');
    process.exit();
  });
} else if (workerData === 1) {
  new Worker(__filename, { workerData: 2 }).on('message', (answer) => parentPort.postMessage(answer));
} else {
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: 'place' }, (error, { result }) => parentPort.postMessage(error ?? result.value));
  setInterval(() => {}, 10_000);
}

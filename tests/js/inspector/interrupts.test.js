// Messages of a debugger interrupt a program wherever it is: none is lost, and neither is a promise, a tick or a rejection of the program.
'use strict';

const assert = require('node:assert');
const inspector = require('node:inspector');
const { Worker, isMainThread, parentPort } = require('node:worker_threads');

const kMessages = 300;

// Promises, ticks and rejections all the time, until it is told to end. Returns how many rounds there were.
async function churn(isOver) {
  let rounds = 0;
  while (!isOver()) {
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => process.nextTick(resolve));
    for (let i = 0; i < 20; i++) await null;
    Promise.reject(rounds++);
  }
  return rounds;
}

let rejections = 0;
process.on('unhandledRejection', () => { rejections++; });

if (!isMainThread) {
  const session = new inspector.Session();
  session.connectToMainThread();
  let isOver = false;
  const churned = churn(() => isOver);
  (async () => {
    for (let i = 0; i < kMessages; i++) {
      const { result } = await new Promise((resolve, reject) => {
        session.post('Runtime.evaluate', { expression: `Promise.reject(${i}); process.nextTick(() => {}); ${i} + 1` }, (error, answer) => {
          if (error) reject(error);
          else resolve(answer);
        });
      });
      assert.strictEqual(result.value, i + 1);
    }
    isOver = true;
    const rounds = await churned;
    setImmediate(() => {
      assert.strictEqual(rejections, rounds);
      parentPort.postMessage('over');
      session.disconnect();
    });
  })();
  return;
}

const worker = new Worker(__filename);
let isOver = false;
worker.on('message', () => { isOver = true; });
churn(() => isOver).then((rounds) => {
  setImmediate(() => assert.strictEqual(rejections, rounds + kMessages));
});

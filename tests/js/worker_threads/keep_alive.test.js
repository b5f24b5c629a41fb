// ref() and unref(): a worker keeps its owner's loop alive unless told otherwise; a busy one delays nobody (S26, S194).
'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const { once } = require('node:events');
const { Worker } = require('node:worker_threads');

function programEnds(text) {
  const { status, stderr } = spawnSync(process.execPath, ['-e', `const { Worker } = require('node:worker_threads');${text}`], { encoding: 'utf8', timeout: 60000 });
  assert.strictEqual(stderr, '');
  assert.strictEqual(status, 0, text);
}

async function main() {
  programEnds("new Worker('setInterval(() => {}, 1)', { eval: true }).unref()");
  programEnds("const w = new Worker('for (;;);', { eval: true }); w.on('message', () => {}); w.unref()");
  programEnds("const w = new Worker('setTimeout(() => {}, 1)', { eval: true }); w.unref(); w.ref(); let code; w.on('exit', (c) => { code = c }); process.on('exit', () => { if (code !== 0) process.exitCode = 9 })");
  programEnds("new Worker('for (;;);', { eval: true }).on('online', () => process.exit(0))");

  // The worker computes until twenty timers have run here.
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(`const { parentPort, workerData } = require('node:worker_threads');
    parentPort.postMessage('begin'); while (!Atomics.load(workerData, 0));`, { eval: true, workerData: flag });
  await once(worker, 'message');
  let ticks = 0;
  const timer = setInterval(() => {
    if (++ticks < 20) return;
    clearInterval(timer);
    Atomics.store(flag, 0, 1);
  }, 1);
  await once(worker, 'exit');
  assert.strictEqual(ticks, 20);
}

let done = false;
main().then(() => { done = true; });
process.on('exit', () => assert(done));

// What a runtime beside the main one costs: ten are started one after another in this process and kept, each waiting for messages.
// Prints CPU time (all threads) and resident memory of each, the first apart, which also loads what all share.
'use strict';
const { Worker } = require('node:worker_threads');

const kStarts = 10;
const program = "const { parentPort } = require('node:worker_threads'); parentPort.on('message', () => {}); parentPort.postMessage('up');";

function start() {
  const worker = new Worker(program, { eval: true });
  return new Promise((resolve) => worker.once('message', () => resolve(worker)));
}

(async () => {
  const workers = [];
  const figures = [];
  for (let i = 0; i < kStarts; i++) {
    const cpu = process.cpuUsage(), memory = process.memoryUsage.rss(), begin = performance.now();
    workers.push(await start());
    const { user, system } = process.cpuUsage(cpu);
    figures.push({ cpu: (user + system) / 1000, wall: performance.now() - begin, memory: (process.memoryUsage.rss() - memory) / 2 ** 20 });
  }
  const mean = (key) => figures.slice(1).reduce((sum, one) => sum + one[key], 0) / (kStarts - 1);
  const line = (name, get) => console.log(`${name}: ${get('cpu').toFixed(1)} ms CPU, ${get('wall').toFixed(1)} ms, ${get('memory').toFixed(2)} MB`);
  line('runtime in a thread, the first', (key) => figures[0][key]);
  line(`runtime in a thread, mean of ${kStarts - 1} more`, mean);
  await Promise.all(workers.map((worker) => worker.terminate()));
})();

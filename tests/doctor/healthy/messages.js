const { Worker } = require('worker_threads'); const w = new Worker(`const { parentPort } = require('worker_threads'); parentPort.on('message', (m) => m === 'end' ? parentPort.close() : parentPort.postMessage(m))`, { eval: true });
let n = 0; w.on('message', () => { if (++n > 300) return w.postMessage('end'); setTimeout(() => w.postMessage(n), 2); }); w.postMessage(0);

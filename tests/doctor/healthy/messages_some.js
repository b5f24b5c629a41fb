// A worker that answers a hundred questions, one after another, ten times a second.
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
if (isMainThread) { const worker = new Worker(__filename); let rounds = 0, n = 0; worker.on('message', () => { if (++n % 100) worker.postMessage(n); }); const t = setInterval(() => { worker.postMessage(0); if (++rounds > 20) { clearInterval(t); worker.terminate(); } }, 100); }
else parentPort.on('message', (m) => parentPort.postMessage(m));

// expect message-flood onJob
// The flooded loop is the worker's.
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
if (isMainThread) { const worker = new Worker(__filename); const end = Date.now() + 60_000; (function feed() { for (let i = 0; i < 400; i++) worker.postMessage({ job: i }); if (Date.now() < end) setImmediate(feed); else worker.terminate(); })(); }
else { let n = 0; parentPort.on('message', function onJob({ job }) { for (let i = 0; i < 1000; i++) n += i * job; }); }

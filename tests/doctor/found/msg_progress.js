// expect message-flood showProgress
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
if (isMainThread) { let seen = 0; const showProgress = (percent) => { seen += percent; }; new Worker(__filename).on('message', showProgress); }
else { const end = Date.now() + 60_000; (function work() { for (let i = 0; i < 1000; i++) parentPort.postMessage(i / 10); if (Date.now() < end) setImmediate(work); })(); }

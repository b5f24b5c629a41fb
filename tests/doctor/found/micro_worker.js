// expect microtask-recursion spin
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
if (isMainThread) new Worker(__filename).on('message', () => {});
else { const spin = async () => { const end = process.threadCpuUsage().user + 900_000; while (process.threadCpuUsage().user < end) await undefined; parentPort.postMessage('over'); }; setTimeout(spin, 50); }

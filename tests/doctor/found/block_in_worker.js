// expect synchronous-block crunch
// The loop that is blocked is a worker's.
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
if (isMainThread) { const worker = new Worker(__filename); worker.postMessage(1); worker.on('message', () => worker.terminate()); }
else {
  function crunch() { const end = process.threadCpuUsage().user + 500_000; let n = 0; while (process.threadCpuUsage().user < end) n += Math.sqrt(n + 1); return n; }
  parentPort.on('message', () => setTimeout(() => parentPort.postMessage(crunch()), 50));
}

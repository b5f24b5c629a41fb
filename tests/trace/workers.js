// Two workers and the messages between them and the main thread.
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');

if (isMainThread) {
  setImmediate(function begin() {
    for (const name of ['first', 'second']) {
      const worker = new Worker(__filename, { workerData: name });
      worker.on('message', function answer() { worker.postMessage('end'); });
      worker.postMessage('question');
    }
  });
} else {
  parentPort.on('message', function asked(text) {
    if (text === 'question') setTimeout(function later() { parentPort.postMessage(workerData); }, 1);
    else parentPort.close();
  });
}

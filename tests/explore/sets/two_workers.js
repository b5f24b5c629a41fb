// Two workers each send one message: either comes first.
// outcome: a b
// outcome: b a
const { Worker } = require('worker_threads');
for (const name of 'ab') {
  const worker = new Worker(`require('worker_threads').parentPort.postMessage('${name}')`, { eval: true });
  worker.on('message', (message) => console.log(message));
}

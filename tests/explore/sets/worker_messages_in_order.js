// The messages of one worker keep their order, and its end comes behind them.
// outcome: 1 2 exit
const { Worker } = require('worker_threads');
const worker = new Worker("const { parentPort } = require('worker_threads'); parentPort.postMessage(1); parentPort.postMessage(2);", { eval: true });
worker.on('message', (message) => console.log(message));
worker.on('exit', () => console.log('exit'));

// expect message-flood onLog
const app = require('express')(); const { Worker } = require('node:worker_threads'); let n = 0;
const worker = new Worker(`const { parentPort } = require('node:worker_threads'); parentPort.on('message', () => { for (let i = 0; i < 3000; i++) parentPort.postMessage({ log: i }); });`, { eval: true });
worker.on('message', function onLog(m) { n += m.log; });
app.get('/', (request, response) => { worker.postMessage(1); response.send('ok'); });
require('./load')(app, '/');

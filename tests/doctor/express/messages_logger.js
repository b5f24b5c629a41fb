// expect message-flood acknowledged
const app = require('express')(); const { Worker } = require('node:worker_threads'); let n = 0;
const logger = new Worker(`const { parentPort } = require('node:worker_threads'); parentPort.on('message', (line) => parentPort.postMessage({ written: line }));`, { eval: true });
logger.on('message', function acknowledged() { n++; });
app.get('/', (request, response) => { for (let i = 0; i < 1500; i++) logger.postMessage(`line ${i}`); response.send('ok'); }); require('./load')(app, '/');

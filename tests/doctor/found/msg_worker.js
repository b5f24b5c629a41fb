// expect message-flood onMessage
const { Worker } = require('worker_threads');
const w = new Worker(`const { parentPort } = require('worker_threads'); const end = Date.now() + 60_000; function go() { for (let i = 0; i < 2000; i++) parentPort.postMessage({ i }); if (Date.now() < end) setImmediate(go); else parentPort.close(); } go();`, { eval: true });
let n = 0; function onMessage(m) { n += m.i; for (let i = 0; i < 2000; i++) n += i % 3; }
w.on('message', onMessage);

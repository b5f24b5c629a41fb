// expect microtask-recursion waitFor
const app = require('express')();
async function waitFor(condition) { while (!condition()) await null; }
app.get('/', async (request, response) => { const end = process.threadCpuUsage().user + 300_000; await waitFor(() => process.threadCpuUsage().user > end); response.send('ok'); });
require('./load')(app, '/', { at_once: 1 });

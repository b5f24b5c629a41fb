// expect tick-recursion retry
const app = require('express')();
function retry(until, done) { if (process.threadCpuUsage().user > until) done(); else process.nextTick(retry, until, done); }
app.get('/', (request, response) => retry(process.threadCpuUsage().user + 300_000, () => response.send('ok')));
require('./load')(app, '/', { at_once: 1 });

// expect synchronous-block report
const app = require('express')();
function report(rows) { const end = process.threadCpuUsage().user + 250_000; let n = 0; while (process.threadCpuUsage().user < end) n += rows; return n; }
app.get('/report', (request, response) => response.json({ n: report(3) }));
require('./load')(app, '/report');

// expect synchronous-block report
const app = require('express')();
function report(rows) { const end = Date.now() + 250; let n = 0; while (Date.now() < end) n += rows; return n; }
app.get('/report', (request, response) => response.json({ n: report(3) }));
require('./load')(app, '/report', { seconds: 2 });

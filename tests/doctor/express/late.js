// expect late-timer refresh
const app = require('express')();
setInterval(function refresh() {}, 50);
app.get('/', (request, response) => { const end = process.threadCpuUsage().user + 220_000; while (process.threadCpuUsage().user < end); response.send('ok'); });
require('./load')(app, '/', { at_once: 1 });

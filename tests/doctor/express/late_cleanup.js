// expect late-timer expireSessions
const app = require('express')(); let n = 0;
setInterval(function expireSessions() {}, 40);
app.get('/', (request, response) => { if (n++ % 200 === 100) { const end = process.threadCpuUsage().user + 300_000; while (process.threadCpuUsage().user < end); } response.send('ok'); }); require('./load')(app, '/');

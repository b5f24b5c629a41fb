// expect slow-start buildRoutes
const express = require('express'); const app = express();
function warm() { const end = process.threadCpuUsage().user + 120_000; while (process.threadCpuUsage().user < end); }
function buildRoutes() { const end = process.threadCpuUsage().user + 900_000; let n = 0; while (process.threadCpuUsage().user < end) new RegExp(`^/route/${n++}/(\\d+)$`).test('/route/1/2'); return n; }
warm(); buildRoutes(); app.get('/', (request, response) => response.send('ok')); require('./load')(app, '/');

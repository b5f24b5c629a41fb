// expect synchronous-block serialise
// Behind two middlewares and a router.
const express = require('express'); const app = express(); const router = express.Router(); let n = 0;
const serialise = (rows) => { const end = process.threadCpuUsage().user + 300_000; let text = ''; while (process.threadCpuUsage().user < end) text = JSON.stringify(rows); return text.length; };
router.use((request, response, next) => next());
router.get('/report', (request, response) => { if (n++ % 200 === 100) serialise(Array.from({ length: 2000 }, (_, id) => ({ id }))); response.json({ n }); });
app.use('/api', router); require('./load')(app, '/api/report');

// expect memory-leak audit
const app = require('express')(); const log = [];
const audit = (request) => { log.push({ url: request.url, headers: { ...request.headers }, parts: new Array(1500).fill(request.url) }); };
app.use((request, response, next) => { audit(request); next(); });
app.get('/', (request, response) => response.send('ok')); require('./load')(app, '/');

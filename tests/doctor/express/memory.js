// expect memory-leak remember
const app = require('express')(); const seen = new Map(); let n = 0;
function remember(request) { seen.set(n++, { url: request.url, at: Date.now(), body: new Array(20000).fill(n) }); }
app.get('/', (request, response) => { remember(request); response.send('ok'); });
require('./load')(app, '/');

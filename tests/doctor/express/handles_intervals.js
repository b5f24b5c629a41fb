// expect handle-leak watchSession
const app = require('express')(); let n = 0; const seen = [];
function watchSession(id) { setInterval(() => seen.push(id), 30_000); }
app.get('/', (request, response) => { if (n++ % 20 === 0) watchSession(n); response.send('ok'); }); require('./load')(app, '/');

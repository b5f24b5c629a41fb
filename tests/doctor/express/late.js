// expect late-timer refresh
const app = require('express')();
setInterval(function refresh() {}, 50);
app.get('/', (request, response) => { const end = Date.now() + 220; while (Date.now() < end); response.send('ok'); });
require('./load')(app, '/', { seconds: 2, at_once: 1 });

// expect tick-recursion retry
const app = require('express')();
function retry(until, done) { if (Date.now() > until) done(); else process.nextTick(retry, until, done); }
app.get('/', (request, response) => retry(Date.now() + 300, () => response.send('ok')));
require('./load')(app, '/', { seconds: 2, at_once: 1 });

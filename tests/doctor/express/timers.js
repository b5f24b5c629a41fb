// expect timer-flood check
const app = require('express')(); let n = 0;
function check() { n++; }
app.get('/', (request, response) => { for (let i = 0; i < 5000; i++) setTimeout(check, 1 + (i % 5)); response.send('ok'); });
require('./load')(app, '/');

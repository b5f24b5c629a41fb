// expect timer-flood giveUp
// Every request has a thousand deadlines.
const app = require('express')(); let late = 0;
app.get('/', (request, response) => { const giveUp = () => { late++; }; for (let i = 0; i < 2000; i++) setTimeout(giveUp, 2); response.send('ok'); });
require('./load')(app, '/');

// expect unsettled-promise enqueue
const app = require('express')(); let n = 0;
async function enqueue(job) { await new Promise((resolve) => { if (job % 50) resolve(); }); return job; }
app.get('/', (request, response) => { enqueue(n++); response.send('ok'); }); require('./load')(app, '/');

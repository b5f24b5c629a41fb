// expect unsettled-promise profile
const app = require('express')();
async function profile(id) { return await new Promise((resolve) => { if (id > 5) resolve(id); }); }
let n = 0; app.get('/', async (request, response) => { if (n++ % 50 === 0) profile(1); response.send('ok'); });
require('./load')(app, '/');

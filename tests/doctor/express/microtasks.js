// expect microtask-recursion waitFor
const app = require('express')();
async function waitFor(condition) { while (!condition()) await null; }
app.get('/', async (request, response) => { const end = Date.now() + 300; await waitFor(() => Date.now() > end); response.send('ok'); });
require('./load')(app, '/', { seconds: 2, at_once: 1 });

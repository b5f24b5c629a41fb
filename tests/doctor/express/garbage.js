// expect gc-pressure page
const app = require('express')();
function page() { const rows = []; for (let i = 0; i < 20000; i++) rows.push({ id: i, text: ['a', i, { b: i }] }); return rows.length; }
app.get('/', (request, response) => response.json({ n: page() }));
require('./load')(app, '/');

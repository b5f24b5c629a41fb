// expect poll-flood onRead|(anonymous)
const app = require('express')(); const fs = require('node:fs'); let n = 0;
function onRead(error, data) { n += data.length; }
app.get('/', (request, response) => { for (let i = 0; i < 3000; i++) fs.readFile(__filename, onRead); response.send('ok'); });
require('./load')(app, '/', { at_once: 4 });

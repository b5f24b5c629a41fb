// expect slow-start compileTemplates
const express = require('express');
function compileTemplates() { const end = Date.now() + 900; const made = []; while (Date.now() < end) made.push(String(made.length)); return made.length; }
compileTemplates();
require('./load')(express().get('/', (request, response) => response.send('ok')), '/', { seconds: 1 });

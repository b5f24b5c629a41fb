// expect slow-start compileTemplates
const express = require('express');
function compileTemplates() { const end = process.threadCpuUsage().user + 900_000; const made = []; while (process.threadCpuUsage().user < end) made.push(String(made.length)); return made.length; }
compileTemplates();
require('./load')(express().get('/', (request, response) => response.send('ok')), '/');

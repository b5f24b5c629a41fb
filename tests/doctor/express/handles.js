// expect handle-leak audit
const app = require('express')(); const dgram = require('node:dgram');
function audit() { const s = dgram.createSocket('udp4'); s.bind(0, '127.0.0.1'); }
let n = 0; app.get('/', (request, response) => { if (n++ % 20 === 0) audit(); setTimeout(() => response.send('ok'), 2); });
require('./load')(app, '/', { at_once: 2 });

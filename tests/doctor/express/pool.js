// expect pool-saturation verify
const app = require('express')(); const crypto = require('node:crypto');
function verify(password, done) { crypto.scrypt(password, 'salt', 64, done); }
app.get('/', (request, response) => verify('secret', () => response.send('ok')));
require('./load')(app, '/', { at_once: 24 });

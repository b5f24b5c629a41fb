// expect pool-saturation thumbnail
const app = require('express')(); const zlib = require('node:zlib'); const image = require('node:crypto').randomBytes(8 << 20);
const thumbnail = () => new Promise((resolve) => zlib.deflate(image, { level: 9 }, resolve));
app.get('/', async (request, response) => { await Promise.all([thumbnail(), thumbnail(), thumbnail()]); response.send('ok'); }); require('./load')(app, '/');

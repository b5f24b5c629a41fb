// expect poll-flood onPrice
// A feed of prices over TCP beside the requests.
const app = require('express')(); const net = require('node:net'); let last = '';
function onPrice(bytes) { for (let i = 0; i < bytes.length; i++) if (bytes[i] === 10) last = i; }
const feed = net.createServer((socket) => { const lines = Buffer.alloc(1 << 16, 'EURUSD 1.0812\n'); const send = () => { while (socket.write(lines)); socket.once('drain', send); }; socket.on('error', () => {}); send(); });
feed.listen(0, '127.0.0.1', () => { for (let i = 0; i < 40; i++) net.connect(feed.address().port, '127.0.0.1').on('data', onPrice); });
app.get('/', (request, response) => response.send(`${last}`)); require('./load')(app, '/');

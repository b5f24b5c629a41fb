// A server that is asked much, by eight clients at once.
const http = require('node:http'); const server = http.createServer((request, response) => response.end('ok'));
server.listen(0, '127.0.0.1', () => { const agent = new http.Agent({ keepAlive: true, maxSockets: 8 }); const end = Date.now() + 3000; const ask = () => { if (Date.now() > end) { agent.destroy(); return server.close(); } http.get({ port: server.address().port, agent }, (response) => response.resume().on('end', ask)).on('error', () => {}); }; for (let i = 0; i < 8; i++) ask(); });

// expect handle-leak startServer
const http = require('http');
function startServer() { return http.createServer((q, r) => r.end()).listen(0, '127.0.0.1'); }
setInterval(startServer, 50); setTimeout(() => process.exit(0), 60_000);

// expect memory-leak session
const http = require('http'); const sessions = new Map();
function session(id) { const s = { id, created: new Date(), data: new Array(2000).fill(id) }; sessions.set(id, s); return s; }
let n = 0; const s = http.createServer((q, r) => { session('s' + n++); r.end('ok'); });
s.listen(0, () => { const agent = new http.Agent({ keepAlive: true, maxSockets: 8 }); const go = () => http.get({ port: s.address().port, agent }, (r) => r.resume().on('end', go)); for (let i = 0; i < 8; i++) go(); });
setTimeout(() => process.exit(0), 60_000);

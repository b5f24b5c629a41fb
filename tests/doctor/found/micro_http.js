// expect microtask-recursion poll
const http = require('http');
let ready = false;
async function poll() { const end = Date.now() + 900; while (!ready && Date.now() < end) await Promise.resolve(); }
const s = http.createServer(async (req, res) => { setTimeout(() => { ready = true; }, 50); await poll(); res.end('ok'); });
s.listen(0, () => http.get({ port: s.address().port }, (r) => r.resume().on('end', () => s.close())));

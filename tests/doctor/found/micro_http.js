// expect microtask-recursion poll
const http = require('http');
let ready = false;
async function poll() { const end = process.threadCpuUsage().user + 900_000; while (!ready && process.threadCpuUsage().user < end) await Promise.resolve(); }
const s = http.createServer(async (req, res) => { setTimeout(() => { ready = true; }, 50); await poll(); res.end('ok'); });
s.listen(0, () => http.get({ port: s.address().port }, (r) => r.resume().on('end', () => s.close())));

// expect late-timer timeoutHandler
const http = require('http');
function render() { const e = process.threadCpuUsage().user + 350_000; while (process.threadCpuUsage().user < e); return 'page'; }
const s = http.createServer((q, r) => { setTimeout(function timeoutHandler() { r.end(page); s.close(); }, 20); const page = render(); });
s.listen(0, () => http.get({ port: s.address().port }, (r) => r.resume()));

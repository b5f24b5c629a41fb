// expect synchronous-block handler
const http = require('http');
function handler(req, res) { const end = process.threadCpuUsage().user + 400_000; while (process.threadCpuUsage().user < end) ; res.end('x'); }
const s = http.createServer(handler).listen(0, () => {
  http.get({ port: s.address().port }, (r) => r.resume().on('end', () => s.close()));
});

// expect tick-recursion drain
const http = require('http');
const queue = [];
function drain() { if (queue.length) { queue.shift(); process.nextTick(drain); } }
const s = http.createServer((req, res) => { const end = process.threadCpuUsage().user + 800_000; const fill = () => { for (let i = 0; i < 1000; i++) queue.push(i); }; fill();
  const orig = queue.shift; queue.shift = function () { if (queue.length < 10 && process.threadCpuUsage().user < end) fill(); return orig.call(queue); }; drain(); res.end('ok'); });
s.listen(0, () => http.get({ port: s.address().port }, (r) => r.resume().on('end', () => s.close())));

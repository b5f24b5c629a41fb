// expect slow-start readAll
const fs = require('fs');
function readAll() { const end = process.threadCpuUsage().user + 1200_000; let n = 0; while (process.threadCpuUsage().user < end) n += fs.readFileSync(__filename).length; return n; }
readAll(); setTimeout(() => {}, 10);

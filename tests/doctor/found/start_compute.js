// expect slow-start buildTable
function buildTable() { const t = []; const end = process.threadCpuUsage().user + 1300_000; while (process.threadCpuUsage().user < end) t.push(Math.sin(t.length)); return t.length; }
const table = buildTable();
require('http').createServer((q, r) => r.end(String(table))).listen(0, function () { this.close(); });

// expect slow-start buildIndex
// A short function runs when the threshold passes; another takes the most of the start.
function readSettings() { const end = process.threadCpuUsage().user + 130_000; let n = 0; while (process.threadCpuUsage().user < end) n++; return n; }
function buildIndex() { const end = process.threadCpuUsage().user + 900_000; const index = {}; let n = 0; while (process.threadCpuUsage().user < end) index['k' + (n++ % 5000)] = n; return n; }
readSettings(); buildIndex(); setTimeout(() => {}, 10);

// expect synchronous-block build
// A method of a class whose comparator has no name, in a module.
class Report {
  build(rows) { const end = process.threadCpuUsage().user + 450_000; let n = 0; while (process.threadCpuUsage().user < end) { rows.sort((a, b) => a.k - b.k || a.id - b.id); rows.reverse(); n++; } return n; }
}
const rows = Array.from({ length: 3000 }, (_, id) => ({ id, k: id % 7 }));
setTimeout(() => new Report().build(rows), 30);

// expect synchronous-block crunch|(anonymous)
function crunch(n) { let s = 0; for (let i = 0; i < n; i++) s += Math.sqrt(i) % 7; return s; }
setTimeout(() => { const t = process.threadCpuUsage().user; while (process.threadCpuUsage().user - t < 700_000) crunch(1e5); }, 50);

// expect late-timer last
function chunk() { const e = process.threadCpuUsage().user + 40_000; while (process.threadCpuUsage().user < e); }
for (let i = 0; i < 8; i++) setTimeout(chunk, 10); setTimeout(function last() {}, 11);

// expect late-timer heartbeat
function heartbeat() {} const t = setInterval(heartbeat, 50);
setTimeout(function work() { const e = process.threadCpuUsage().user + 400_000; while (process.threadCpuUsage().user < e); }, 120); setTimeout(() => clearInterval(t), 800);

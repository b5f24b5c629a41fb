// expect late-timer heartbeat
function heartbeat() {} const t = setInterval(heartbeat, 50);
setTimeout(function work() { const e = Date.now() + 400; while (Date.now() < e); }, 120); setTimeout(() => clearInterval(t), 800);

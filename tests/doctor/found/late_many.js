// expect late-timer last
function chunk() { const e = Date.now() + 40; while (Date.now() < e); }
for (let i = 0; i < 8; i++) setTimeout(chunk, 10); setTimeout(function last() {}, 11);

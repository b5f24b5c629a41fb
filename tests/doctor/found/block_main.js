// expect synchronous-block crunch|(anonymous)
function crunch(n) { let s = 0; for (let i = 0; i < n; i++) s += Math.sqrt(i) % 7; return s; }
setTimeout(() => { const t = Date.now(); while (Date.now() - t < 700) crunch(1e5); }, 50);

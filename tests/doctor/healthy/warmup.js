const kept = []; let n = 0; const t = setInterval(() => { if (n++ < 100) kept.push(new Array(20000).fill(n)); }, 10); setTimeout(() => clearInterval(t), 4000);

// expect synchronous-block sortAll
function sortAll() { const a = []; for (let i = 0; i < 3e5; i++) a.push(Math.random()); for (let k = 0; k < 6; k++) a.map((x) => x * Math.random()).sort((x, y) => x - y); }
setInterval(function tick() { clearInterval(this); sortAll(); }, 30);

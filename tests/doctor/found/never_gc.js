// expect unsettled-promise handle
async function handle(id) { const big = new Array(1000).fill(id); await new Promise(() => {}); return big; }
let n = 0; const t = setInterval(() => { for (let i = 0; i < 300; i++) handle(i); if (++n > 100) clearInterval(t); }, 10);

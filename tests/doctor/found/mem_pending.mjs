// expect memory-leak load
// Requests that never get an answer are kept with all they need.
const pending = new Map(); let n = 0;
function load(id) { const body = Array.from({ length: 1500 }, (_, i) => i * id + 0.5); return new Promise((resolve) => pending.set(id, { resolve, body })); }
setInterval(() => { for (let i = 0; i < 10; i++) load(n++); }, 10); setTimeout(() => process.exit(0), 60_000);

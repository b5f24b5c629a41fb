// A worker computes in its own start; the main loop is free.
const { Worker, isMainThread } = require('node:worker_threads');
if (isMainThread) { new Worker(__filename); let n = 0; const t = setInterval(() => { if (++n > 40) clearInterval(t); }, 20); }
else { let left = 40; (function part() { const end = Date.now() + 12; while (Date.now() < end); if (--left > 0) setImmediate(part); })(); }

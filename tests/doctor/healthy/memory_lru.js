// A cache with a bound.
const cache = new Map(); let n = 0;
function put(value) { cache.set(n++, value); if (cache.size > 800) cache.delete(cache.keys().next().value); }
setInterval(() => { for (let i = 0; i < 12; i++) put(new Array(3000).fill(n)); }, 10); setTimeout(() => process.exit(0), 7000);

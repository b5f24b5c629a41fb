// expect microtask-recursion pump
async function next(i) { return i + 1; }
async function pump() { let i = 0; const end = Date.now() + 900; while (Date.now() < end) i = await next(i); return i; }
setTimeout(pump, 20);

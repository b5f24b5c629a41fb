// expect microtask-recursion pump
async function next(i) { return i + 1; }
async function pump() { let i = 0; const end = process.threadCpuUsage().user + 900_000; while (process.threadCpuUsage().user < end) i = await next(i); return i; }
setTimeout(pump, 20);

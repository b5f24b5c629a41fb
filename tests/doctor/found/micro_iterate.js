// expect microtask-recursion consume|endless
const end = process.threadCpuUsage().user + 900_000;
async function* endless() { let n = 0; while (process.threadCpuUsage().user < end) yield n++; }
async function consume() { let sum = 0; for await (const n of endless()) sum += n; return sum; }
setTimeout(consume, 20);

// expect tick-recursion step
// Each tick is an arrow without a name that calls the function.
const end = process.threadCpuUsage().user + 900_000;
function step(n) { if (process.threadCpuUsage().user < end) process.nextTick(() => step(n + 1)); }
setTimeout(() => step(0), 20);

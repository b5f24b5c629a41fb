// expect microtask-recursion again
const end = process.threadCpuUsage().user + 900_000;
function again() { if (process.threadCpuUsage().user < end) queueMicrotask(again); }
setTimeout(again, 20);

// expect tick-recursion recurse
const end = process.threadCpuUsage().user + 900_000;
function recurse() { if (process.threadCpuUsage().user < end) process.nextTick(recurse); }
recurse();

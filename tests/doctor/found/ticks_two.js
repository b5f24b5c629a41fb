// expect tick-recursion ping|pong
let n = 0; const end = process.threadCpuUsage().user + 900_000;
function ping() { n++; if (process.threadCpuUsage().user < end) process.nextTick(pong); }
function pong() { n++; process.nextTick(ping); }
setImmediate(ping);

// expect microtask-recursion link
// A chain of then() without async functions, one arrow after another.
const end = process.threadCpuUsage().user + 900_000;
function link(n) { return process.threadCpuUsage().user < end ? Promise.resolve(n).then((value) => link(value + 1)) : n; }
setImmediate(() => link(0));

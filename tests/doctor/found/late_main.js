// expect late-timer soon
setTimeout(function soon() { console.log('soon'); }, 10);
const e = process.threadCpuUsage().user + 500_000; while (process.threadCpuUsage().user < e);

// expect microtask-recursion loop
const end = process.threadCpuUsage().user + 900_000;
function loop() { if (process.threadCpuUsage().user < end) Promise.resolve().then(loop); }
loop();

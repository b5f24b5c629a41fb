// expect late-timer flush
// Behind a synchronous child process.
setInterval(function flush() {}, 30);
setTimeout(() => require('node:child_process').execFileSync('sleep', ['0.5']), 100);
setTimeout(() => process.exit(0), 900);

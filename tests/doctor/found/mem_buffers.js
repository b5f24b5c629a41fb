// expect memory-leak keep
const chunks = []; function keep() { chunks.push(Buffer.alloc(256 * 1024, 1)); }
setInterval(keep, 10); setTimeout(() => process.exit(0), 60_000);

// expect handle-leak openLog
// Streams of files that nobody reads to their end.
const fs = require('node:fs'); const kept = [];
function openLog() { const stream = fs.createReadStream('/dev/zero', { highWaterMark: 64 }); stream.once('readable', () => {}); kept.push(stream); }
setInterval(openLog, 25); setTimeout(() => process.exit(0), 60_000);

// expect handle-leak peek
const fs = require('fs');
function peek() { const fd = fs.openSync(__filename); const b = Buffer.alloc(4); fs.readSync(fd, b); return b; }
setInterval(peek, 10); setTimeout(() => process.exit(0), 60_000);

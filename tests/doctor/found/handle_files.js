// expect handle-leak readHeader
const fs = require('fs');
function readHeader(cb) { fs.open(__filename, 'r', (err, fd) => { if (err) return cb(err); fs.read(fd, Buffer.alloc(16), 0, 16, 0, cb); }); }
setInterval(() => readHeader(() => {}), 10); setTimeout(() => process.exit(0), 60_000);

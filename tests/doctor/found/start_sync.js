// expect slow-start readAll
const fs = require('fs');
function readAll() { const end = Date.now() + 1200; let n = 0; while (Date.now() < end) n += fs.readFileSync(__filename).length; return n; }
readAll(); setTimeout(() => {}, 10);

// expect poll-flood onRead
const fs = require('fs'); const end = Date.now() + 60_000; let n = 0;
function onRead(err, data) { n += data.length; if (Date.now() < end) fs.readFile(__filename, onRead); }
for (let i = 0; i < 2000; i++) fs.readFile(__filename, onRead);

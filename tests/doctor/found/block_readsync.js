// expect synchronous-block readConfig
const fs = require('fs');
function readConfig() { for (let i = 0; i < 300000; i++) fs.readFileSync(__filename); }
setTimeout(readConfig, 10); setTimeout(() => process.exit(), 300);

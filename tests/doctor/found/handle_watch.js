// expect handle-leak watchConfig
const fs = require('fs'); const path = require('path');
function watchConfig() { fs.watch(path.join(__dirname), () => {}); }
setInterval(() => watchConfig(), 25); setTimeout(() => process.exit(0), 60_000);

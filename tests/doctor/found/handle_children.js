// expect handle-leak startHelper
const { spawn } = require('node:child_process'); const all = [];
function startHelper() { all.push(spawn('sleep', ['20'], { stdio: 'ignore' })); }
setInterval(startHelper, 80); setTimeout(() => { for (const one of all) one.kill(); process.exit(0); }, 60_000);

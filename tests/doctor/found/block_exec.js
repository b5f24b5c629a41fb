// expect synchronous-block runTool
const { execSync } = require('child_process');
function runTool() { return execSync('sleep 0.6').toString(); }
setImmediate(() => runTool());

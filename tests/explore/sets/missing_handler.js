// A rejection has no handler yet when the other read is slow.
// outcome: handled
// outcome: (1)
const fs = require('fs/promises');
const failing = fs.readFile('/nowhere');
fs.stat(__filename).then(() => failing.catch(() => console.log('handled')));

// Five operations: 5! orders, counted. The last deviate four times from the default.
// outcomes: 120
const fs = require('fs');
for (const name of 'abcde') fs.stat(__filename, () => process.stdout.write(name));

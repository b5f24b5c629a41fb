// Four reads: 4! orders, counted.
// outcomes: 24
const fs = require('fs');
for (const name of 'abcd') fs.readFile(__filename, () => process.stdout.write(name));

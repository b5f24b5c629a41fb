// An error in one of two callbacks ends the program before or after the other.
// outcome: a (1)
// outcome: (1)
const fs = require('fs');
fs.stat(__filename, () => console.log('a'));
fs.stat(__filename, () => process.exit(1));

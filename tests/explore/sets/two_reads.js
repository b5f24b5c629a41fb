// Two reads end in any order.
// outcome: a b
// outcome: b a
const fs = require('fs');
fs.readFile(__filename, () => console.log('a'));
fs.readFile(__filename, () => console.log('b'));

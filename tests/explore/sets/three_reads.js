// Three reads: 3! orders.
// outcome: a b c
// outcome: a c b
// outcome: b a c
// outcome: b c a
// outcome: c a b
// outcome: c b a
const fs = require('fs');
for (const name of 'abc') fs.readFile(__filename, () => console.log(name));

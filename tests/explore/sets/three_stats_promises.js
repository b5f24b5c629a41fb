// Promises of three operations settle in any order; each reaction runs in the turn of its operation.
// outcome: a b c
// outcome: a c b
// outcome: b a c
// outcome: b c a
// outcome: c a b
// outcome: c b a
const fs = require('fs/promises');
for (const name of 'abc') fs.stat(__filename).then(() => console.log(name));

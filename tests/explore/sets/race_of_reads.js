// Promise.race of two reads: either wins.
// outcome: one
// outcome: two
const fs = require('fs/promises');
Promise.race([fs.readFile(__filename).then(() => 'one'), fs.readFile(__filename).then(() => 'two')]).then((name) => console.log(name));

// Promise.all keeps its order whatever comes first.
// outcome: one,two,three
const fs = require('fs/promises');
const read = (name) => fs.readFile(__filename).then(() => name);
Promise.all([read('one'), read('two'), read('three')]).then((names) => console.log(names.join()));

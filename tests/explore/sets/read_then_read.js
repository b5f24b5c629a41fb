// The second read starts in the callback of the first: one order.
// outcome: a b
const fs = require('fs');
fs.readFile(__filename, () => {
  console.log('a');
  fs.readFile(__filename, () => console.log('b'));
});

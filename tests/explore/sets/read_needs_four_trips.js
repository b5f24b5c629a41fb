// Node's readFile opens, looks, reads and closes, each a trip to its pool: three iterations end before it.
// outcome: one two three read
const fs = require('fs');
fs.readFile(__filename, () => console.log('read'));
setImmediate(() => {
  console.log('one');
  setImmediate(() => {
    console.log('two');
    setImmediate(() => console.log('three'));
  });
});

// A small file is read by one job of Node's pool, which may end in any visit of poll: before or after each immediate.
// outcome: read one two three
// outcome: one read two three
// outcome: one two read three
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

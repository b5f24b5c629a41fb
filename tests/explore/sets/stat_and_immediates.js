// A single trip may end before each of the immediates, or after them.
// outcome: stat one two
// outcome: one stat two
// outcome: one two stat
require('fs').stat(__filename, () => console.log('stat'));
setImmediate(() => {
  console.log('one');
  setImmediate(() => console.log('two'));
});

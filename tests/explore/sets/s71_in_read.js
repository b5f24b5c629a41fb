// S71: a file's callback runs in poll, and check follows poll.
// outcome: immediate timeout
require('fs').readFile(__filename, () => {
  setTimeout(() => console.log('timeout'), 0);
  setImmediate(() => console.log('immediate'));
});

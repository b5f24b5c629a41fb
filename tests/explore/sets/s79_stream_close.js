// S79: the 'close' of a file stream follows a completion in poll.
// outcome: immediate timeout
const stream = require('fs').createReadStream(__filename);
stream.read();
stream.close();
stream.on('close', () => {
  setTimeout(() => console.log('timeout'), 0);
  setImmediate(() => console.log('immediate'));
});

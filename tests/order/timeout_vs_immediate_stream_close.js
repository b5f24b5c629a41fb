// S79: a file stream's close event follows a completion in poll, so the immediate is first.
const fs = require('node:fs');
const stream = fs.createReadStream(__filename);
stream.read();
stream.close();
stream.on('close', () => {
  setTimeout(() => console.log('timeout'), 0);
  setImmediate(() => console.log('immediate'));
});

// A read against a time-out: a disk may be slow.
// outcome: read
// outcome: timeout
const fs = require('fs/promises');
const timeout = new Promise((resolve) => setTimeout(resolve, 1000, 'timeout').unref());
Promise.race([fs.readFile(__filename).then(() => 'read'), timeout]).then((name) => {
  console.log(name);
  process.exit();
});

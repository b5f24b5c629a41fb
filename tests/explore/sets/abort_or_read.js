// An abort against a read. Readers of large files look at their signal between the pieces; this one is over in one.
// outcome: AbortError
// outcome: read
const fs = require('fs/promises');
const controller = new AbortController();
fs.stat(__filename).then(() => controller.abort());
fs.readFile(__filename, { signal: controller.signal }).then(
  () => console.log('read'),
  (error) => console.log(error.name),
);

// Two read-modify-write sequences over one counter: the second read may come before the first write.
// outcome: 1
// outcome: 2
const fs = require('fs/promises');
let counter = 0;
async function increment() {
  const seen = counter;
  await fs.stat(__filename);
  counter = seen + 1;
}
async function later() {
  await fs.stat(__filename);
  await increment();
}
Promise.all([later(), later()]).then(() => console.log(counter));

// S123: so does a recursion of promise reactions.
const fs = require('node:fs');
let runs = 0;
const seen = [];
const note = (what) => () => seen.push(`${what} after ${runs} microtasks`);

setTimeout(note('timer'), 1);
setImmediate(note('immediate'));
fs.readFile(__filename, note('file'));
(function again() {
  if (++runs < 100_000) Promise.resolve().then(again);
})();
process.on('exit', () => console.log(seen.sort().join('\n')));

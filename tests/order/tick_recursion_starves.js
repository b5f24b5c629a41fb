// S83: a recursion of a hundred thousand ticks keeps everything else waiting: a due timer, a file read, an immediate.
const fs = require('node:fs');
let ticks = 0;
const seen = [];
const note = (what) => () => seen.push(`${what} after ${ticks} ticks`);

setTimeout(note('timer'), 1);
setImmediate(note('immediate'));
fs.readFile(__filename, note('file'));
process.nextTick(function again() {
  if (++ticks < 100_000) process.nextTick(again);
});
process.on('exit', () => console.log(seen.sort().join('\n')));

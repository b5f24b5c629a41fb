// S105, S108, S109: no call starts the loop and no API names it; all callbacks run on the one thread of the program.
const fs = require('node:fs');
const threads = new Set();
const here = () => threads.add(fs.readlinkSync('/proc/thread-self'));
here();
setTimeout(here, 1);
setImmediate(here);
process.nextTick(here);
Promise.resolve().then(here);
fs.stat(__filename, here);
process.on('exit', () => console.log('threads seen:', threads.size, 'loop object:', typeof globalThis.loop));

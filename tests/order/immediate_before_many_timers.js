// S73, S60: in an I/O callback one immediate precedes ten thousand timers that are already due.
const fs = require('node:fs');
fs.stat(__filename, () => {
  let timers = 0;
  for (let i = 0; i < 10_000; i++) setTimeout(() => { timers++; }, 1);
  setImmediate(() => console.log('timers before the immediate:', timers));
  const end = Date.now() + 10;
  while (Date.now() < end);
});

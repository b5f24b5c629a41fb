// S71, S76, S60: inside a file callback (poll) check comes before timers, every time.
const fs = require('node:fs');
let left = 100;
let immediateFirst = 0;

(function again() {
  fs.readFile(__filename, () => {
    const order = [];
    const done = (name) => () => {
      order.push(name);
      if (order.length < 2) return;
      if (order[0] === 'immediate') immediateFirst++;
      if (--left) again();
      else console.log(`immediate first ${immediateFirst} times of 100`);
    };
    setTimeout(done('timeout'), 0);
    setImmediate(done('immediate'));
  });
})();

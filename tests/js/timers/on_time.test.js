// skip-asan
// S21: with an empty queue and an empty stack a timer fires right after its delay. A shared machine may delay any single
// timer, so the best of at most a thousand is judged.
const assert = require('node:assert');

let best = Infinity;
let runs = 0;
(function again() {
  if (runs++ === 1000 || (runs > 20 && best <= 3)) return;
  const start = process.hrtime.bigint();
  setTimeout(() => {
    best = Math.min(best, Number(process.hrtime.bigint() - start) / 1e6 - 5);
    again();
  }, 5);
})();
process.on('exit', () => assert.ok(best <= 3, `${best} ms late at best`));

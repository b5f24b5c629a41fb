// S20, S48: of ten thousand timers none fires before its delay has passed on the monotonic clock.
const assert = require('node:assert');

let early = 0;
let fired = 0;
const count = 10_000;
for (let i = 0; i < count; i++) {
  const delay = 1 + (i % 40);
  const start = process.hrtime.bigint();
  setTimeout(() => {
    fired++;
    if (process.hrtime.bigint() - start < BigInt(delay) * 1_000_000n) early++;
  }, delay);
}
process.on('exit', () => {
  assert.strictEqual(fired, count);
  assert.strictEqual(early, 0);
});

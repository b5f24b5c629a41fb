// skip-asan
// S152, S49: one timer far away: the loop waits for it in poll and uses next to no CPU meanwhile.
const assert = require('node:assert');

setImmediate(() => {
  const before = process.cpuUsage();
  setTimeout(() => {
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 30_000, `${user + system} µs of CPU in one second of waiting`);
  }, 1000);
});

// S36, S76: a timer that is set and falls due inside a timer's callback runs a millisecond after the loop's clock was last read there, as in
// Node. Immediates that queue immediates go on meanwhile. Without a reading after the busy wait it runs in the very next timers phase.
'use strict';
const assert = require('node:assert');

const now = () => process.hrtime.bigint();
function spin(milliseconds) {
  const end = now() + BigInt(milliseconds) * 1_000_000n;
  while (now() < end);
}
const quiet = () => {};

function startedInTimer(readClock) {
  return new Promise((resolve) => {
    setTimeout(() => {
      const late = {};
      setTimeout(() => { late.ranAt = now(); }, 1);
      spin(3);
      late.readAt = now();
      if (readClock) readClock();
      let immediates = 0;
      const again = () => {
        if (late.ranAt !== undefined) return resolve({ waited: late.ranAt - late.readAt, immediates });
        immediates++;
        setImmediate(again);
      };
      setImmediate(again);
    }, 2);
  });
}

(async () => {
  const readings = {
    timeout: () => clearTimeout(setTimeout(quiet, 1000)),
    interval: () => clearInterval(setInterval(quiet, 1000)),
    refresh: () => clearTimeout(setTimeout(quiet, 1000).refresh()),
  };
  for (const name of Object.keys(readings)) {
    const { waited, immediates } = await startedInTimer(readings[name]);
    assert.ok(waited >= 1_000_000n, `${name}: ran ${waited} ns after the clock was read`);
    assert.ok(immediates >= 1, name);
  }
  // One check phase lies between the two timers phases, no more.
  assert.strictEqual((await startedInTimer(null)).immediates, 1);
})();

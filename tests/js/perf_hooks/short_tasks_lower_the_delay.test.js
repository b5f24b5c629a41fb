// S15: one task of 500 ms cut into 50 of 10 ms, by immediates or by timers: the loop's longest delay drops to a fifth or less.
const assert = require('node:assert');
const { monitorEventLoopDelay } = require('node:perf_hooks');

function burn(milliseconds) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
const oneLong = (done) => setImmediate(() => { burn(500); done(); });
const pieces = (queue) => (done) => {
  let left = 50;
  queue(function piece() {
    burn(10);
    if (--left > 0) queue(piece);
    else done();
  });
};

// The longest delay that the loop's own monitor saw while `work` ran, in milliseconds.
async function longestDelay(work) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  while (delays.count === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  delays.reset();
  await new Promise(work);
  const seen = delays.count;
  while (delays.count === seen) await new Promise((resolve) => setTimeout(resolve, 1));
  delays.disable();
  return delays.max / 1e6;
}

(async () => {
  for (const queue of [setImmediate, setTimeout]) {
    // Another program on the same core may stretch a piece; not every time.
    let long, short;
    for (let tries = 0; tries < 5; tries++) {
      long = await longestDelay(oneLong);
      short = await longestDelay(pieces(queue));
      assert.ok(long >= 490, `a task of 500 ms delays the loop by as much: ${long}`);
      if (long >= 5 * short) break;
    }
    assert.ok(long >= 5 * short, `${queue.name}: ${long} ms in one piece, ${short} ms in fifty`);
  }
})();

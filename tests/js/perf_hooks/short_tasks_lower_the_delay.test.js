// S15: one task of 500 ms cut into 50 of 10 ms, by immediates or by timers: the loop's longest delay drops to a fifth or less.
const assert = require('node:assert');
const { monitorEventLoopDelay } = require('node:perf_hooks');

function burn(milliseconds) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
const oneLong = (done) => setImmediate(() => { burn(500); done(); });
const pieces = (queue, begins) => (done) => {
  let left = 50;
  queue(function piece() {
    begins.push(performance.now());
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
    const long = await longestDelay(oneLong);
    assert.ok(long >= 490, `a task of 500 ms delays the loop by as much: ${long}`);
    const begins = [performance.now()];
    const short = await longestDelay(pieces(queue, begins));
    begins.push(performance.now());
    // From one piece to the next it is 10 ms, which another program on the same core may stretch: two of those are the most that the loop is late.
    const apart = begins.slice(1).map((time, i) => time - begins[i]);
    const most = 2 * Math.max(20, ...apart) + 10;
    assert.ok(short <= most, `${queue.name}: ${long} ms in one piece, ${short} ms in fifty that began ${Math.max(...apart)} ms apart at most`);
    // A machine that lets it run shows a fifth.
    if (Math.max(...apart) <= 40) assert.ok(long >= 5 * short, `${queue.name}: ${long} ms in one piece, ${short} ms in fifty`);
  }
})();

// S81, S102, S103: wherever a callback runs, its tick runs before the phase's next callback.
const fs = require('node:fs');
const out = [];
const pair = (phase, schedule) => {
  schedule(() => {
    process.nextTick(() => out.push(`${phase}: tick`));
    out.push(`${phase}: callback 1`);
  });
  schedule(() => out.push(`${phase}: callback 2`));
};

pair('timers', (callback) => setTimeout(callback, 1));
const end = Date.now() + 5;
while (Date.now() < end);
pair('check', setImmediate);
setTimeout(() => pair('poll', (callback) => fs.stat(__filename, callback)), 5);

process.on('exit', () => console.log([...out.filter((line) => !line.startsWith('poll')), pollOrder()].join('\n')));

// Two file operations may complete in either order; the tick still directly follows the callback that queued it.
function pollOrder() {
  const lines = out.filter((line) => line.startsWith('poll'));
  return lines.length === 3 && lines.indexOf('poll: tick') === lines.indexOf('poll: callback 1') + 1 ? 'poll: tick first' : lines.join();
}

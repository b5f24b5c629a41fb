// S89: the stack unwinds before a tick runs, so a million recursive ticks never overflow it, and memory stays bounded.
let left = 1_000_000;
const before = process.memoryUsage().rss;
process.nextTick(function again() {
  if (--left > 0) return process.nextTick(again);
  const grown = process.memoryUsage().rss - before;
  console.log('done', grown < 300 * 1024 * 1024 ? 'within bounds' : `grown by ${grown}`);
});

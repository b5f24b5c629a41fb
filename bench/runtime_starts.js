// What a runtime beside the main one costs: workers are started one after another in this process, CPU time of all threads and memory of each.
// Runs on any runtime with worker_threads, so that two can be compared: `rondo bench/runtime_starts.js [KIND] [COUNT]`.
//   online   they stay, each on memory that none had before, and count until they say that they are online (the default)
//   talking  the same with a port that listens, until the first message
//   ended    an empty program, from start to end; each gets the memory of the one before
'use strict';
const { Worker } = require('node:worker_threads');

const kind = process.argv[2] ?? 'online', count = Number(process.argv[3] ?? 40);
const programs = {
  online: ['setInterval(() => {}, 1e6)', 'online'],
  talking: ["const { parentPort } = require('node:worker_threads'); parentPort.on('message', () => {}); parentPort.postMessage('up');", 'message'],
  ended: ['', 'exit'],
};
if (!Object.hasOwn(programs, kind) || !(count > 0)) {
  console.error('usage: runtime_starts.js [online|talking|ended] [COUNT]');
  process.exit(2);
}
const [program, event] = programs[kind];

// What the worker and the collector still do then belongs to it, too.
const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function start() {
  const worker = new Worker(program, { eval: true });
  await new Promise((resolve) => worker.once(event, resolve));
  await rest(kind === 'ended' ? 0 : 20);
}

(async () => {
  for (let i = 0; i < 3; i++) await start();  // these also load what all share
  const cpu = process.cpuUsage(), memory = process.memoryUsage.rss(), faults = process.resourceUsage().minorPageFault;
  for (let i = 0; i < count; i++) await start();
  const { user, system } = process.cpuUsage(cpu);
  const megabytes = (process.memoryUsage.rss() - memory) / 2 ** 20, touched = process.resourceUsage().minorPageFault - faults;
  const each = (value, digits) => (value / count).toFixed(digits);
  console.log(`${kind}, ${count} workers, each: ${each((user + system) / 1000, 2)} ms CPU (${each(system / 1000, 2)} of it the kernel's), ` +
    `${each(megabytes, 2)} MB, ${each(touched, 0)} page faults`);
  process.exit(0);
})();

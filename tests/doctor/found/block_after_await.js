// expect synchronous-block summarise
// The block is behind an await, called by an async function.
const { setTimeout: sleep } = require('node:timers/promises');
function summarise(text) { const end = process.threadCpuUsage().user + 400_000; const words = new Map(); while (process.threadCpuUsage().user < end) for (const word of text.split(' ')) words.set(word, (words.get(word) ?? 0) + 1); return words.size; }
async function job() { await sleep(40); summarise('the quick brown fox jumps over the lazy dog '.repeat(50)); await sleep(20); }
job();

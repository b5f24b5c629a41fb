// How a worker's end is told: what it posted comes before its error; a listener of 'exit' that throws changes no code; a worker that was
// ended before it began did not fail; a program's own Error.prepareStackTrace that throws does not hide the error.
'use strict';
const assert = require('node:assert');
const { Worker } = require('node:worker_threads');

function endOf(code) {
  const events = [];
  const worker = new Worker(code, { eval: true });
  worker.on('message', (value) => events.push(`message ${value}`));
  worker.on('error', (error) => events.push(`${error.name}: ${error.message}`));
  return new Promise((resolve) => worker.on('exit', (exit) => resolve([...events, exit])));
}

(async () => {
  // The owner reads the two channels in either order: often enough to meet both.
  const ends = await Promise.all(Array.from({ length: 40 }, () => endOf('require("worker_threads").parentPort.postMessage(1); throw new RangeError("last")')));
  for (const end of ends) assert.deepStrictEqual(end, ['message 1', 'RangeError: last', 1]);

  assert.deepStrictEqual(await endOf('process.on("exit", () => { throw new Error("late") })'), ['Error: late', 0]);
  assert.deepStrictEqual(await endOf('process.on("exit", () => { throw new Error("late") }); process.exit(5)'), ['Error: late', 5]);
  assert.deepStrictEqual(await endOf('Error.prepareStackTrace = () => { throw new Error("no") }; throw new TypeError("real")'), ['TypeError: real', 1]);

  // On a busy machine one may have begun by then; not all of them.
  const codes = [];
  for (let i = 0; i < 20 && !codes.includes(0); i++) codes.push(await new Worker('setInterval(() => {}, 1000)', { eval: true }).terminate());
  assert.ok(codes.includes(0), codes.join());
  const late = new Worker('setInterval(() => {}, 1000)', { eval: true });
  await new Promise((resolve) => late.once('online', resolve));
  assert.strictEqual(await late.terminate(), 1);
})();

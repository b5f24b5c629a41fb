// flags: --expose-internals
// A start is slow because of the program where its functions are on the stack for half a second; the runtime's own start (compiling
// TypeScript, loading a large library) is no finding, however long it takes.
'use strict';

const assert = require('node:assert');
const { StartWatch } = require('internal/observe/start_watch');

const kLibrary = [['compile', 'node:internal/modules/typescript:10:3'], ['load', 'node:internal/modules/cjs_loader:20:5']];
const kProgram = [['worker', '/srv/app.js:2:10'], ['(top level)', '/srv/app.js:5:1'], ...kLibrary];

// Pulses every 20 ms of a start; `stackAt(ms)` is what the process's other thread sees.
async function watch(length, stackAt) {
  const found = [];
  const known = { last: { iteration: 0, clock: 0 } };
  let now = 0;
  const peer = { look: async () => ({ stack: stackAt(now) }) };
  const start = new StartWatch({ peer, report: (name, { function: f }, cause, ms) => found.push([name, f, ms]) }, known);
  for (now = 20; now <= length; now += 20) {
    known.last = { iteration: 0, clock: now };
    start.see({ runtime: 0, busy: now, clock: now });
    await null;
    await null;
  }
  start.end();
  return found;
}

async function main() {
  assert.deepStrictEqual(await watch(2000, (ms) => (ms < 1900 ? kLibrary : kProgram)), []);
  assert.deepStrictEqual(await watch(400, () => kProgram), []);
  const own = await watch(1200, (ms) => (ms < 400 ? kLibrary : kProgram));
  assert(own.length > 0 && own.every(([name, f]) => name === 'slow-start' && f === 'worker'), JSON.stringify(own));
  assert(own[0][2] >= 800 && own[0][2] <= 960, `told at ${own[0][2]} ms`);
}

main();

// `rondo trace -o trace.json` follows the Trace Event Format as documented for Chrome and Perfetto: the fields of each phase, names of loops,
// slices that nest, flows with both ends, each inside a slice. A program with timers, files, jobs of the pool and a worker.
'use strict';

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-format-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const program = path.join(folder, 'app.js');
const output = path.join(folder, 'trace.json');
fs.writeFileSync(
  program,
  `const { Worker, isMainThread, parentPort } = require('node:worker_threads');
   if (!isMainThread) parentPort.postMessage('"quoted" \\n line');
   else {
     new Worker(__filename).on('message', () => process.nextTick(() => {}));
     setTimeout(function late() { Promise.resolve().then(() => {}); }, 5);
     setImmediate(() => require('node:fs').readFile(__filename, () => {}));
     require('node:crypto').pbkdf2('a', 'b', 1000, 16, 'sha1', () => console.log('key'));
   }`,
);
const run = spawnSync(process.execPath, ['trace', '-o', output, program], { encoding: 'utf8' });
assert.strictEqual(run.status, 0, run.stderr);

const trace = JSON.parse(fs.readFileSync(output, 'utf8'));
assert.deepStrictEqual(Object.keys(trace).sort(), ['displayTimeUnit', 'traceEvents']);
assert.ok(['ms', 'ns'].includes(trace.displayTimeUnit));

const kMetadata = ['process_name', 'process_labels', 'process_sort_index', 'thread_name', 'thread_sort_index'];
const isTime = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const rules = {
  M: (event) => kMetadata.includes(event.name) && typeof event.args.name === 'string',
  X: (event) => isTime(event.ts) && isTime(event.dur) && typeof event.cat === 'string' && typeof event.args === 'object',
  s: (event) => isTime(event.ts) && ['string', 'number'].includes(typeof event.id) && typeof event.cat === 'string',
  i: (event) => isTime(event.ts) && event.s === 't' && event.cat === 'output',
  f: (event) => isTime(event.ts) && ['string', 'number'].includes(typeof event.id) && event.bp === 'e',
};
for (const event of trace.traceEvents) {
  const isRight = Object.hasOwn(rules, event.ph) && typeof event.name === 'string' && rules[event.ph](event);
  assert.ok(isRight && Number.isInteger(event.pid) && Number.isInteger(event.tid), JSON.stringify(event));
}

const of = (phase) => trace.traceEvents.filter((event) => event.ph === phase);
const named = new Set(of('M').filter(({ name }) => name === 'thread_name').map(({ tid }) => tid));
const threads = Map.groupBy(of('X'), ({ tid }) => tid);
assert.ok(threads.size >= 3, 'a loop, a worker, a thread of the pool');
const kRounding = 0.002; // µs: times have three digits
for (const [thread, slices] of threads) {
  assert.ok(named.has(thread), `thread ${thread} has no name`);
  const open = [];
  for (const { ts, dur, name } of slices.toSorted((a, b) => a.ts - b.ts || b.dur - a.dur)) {
    while (open.length > 0 && open.at(-1) <= ts + kRounding) open.pop();
    assert.ok(open.length === 0 || ts + dur <= open.at(-1) + kRounding, `${name} at ${ts} overlaps`);
    open.push(ts + dur);
  }
}

const isInside = ({ tid, ts }) => threads.get(tid)?.some((slice) => slice.ts <= ts + kRounding && ts <= slice.ts + slice.dur + kRounding);
const begins = new Map(of('s').map((event) => [event.id, event]));
assert.ok(begins.size > 0);
assert.strictEqual(begins.size, of('s').length, 'a flow begins once');
for (const end of of('f')) {
  const begin = begins.get(end.id);
  assert.ok(begin !== undefined && begin.ts <= end.ts, `flow ${end.id}`);
  assert.ok(isInside(begin) && isInside(end), `flow ${end.id} is outside of every slice`);
  begins.delete(end.id);
}
assert.deepStrictEqual([...begins.keys()], [], 'flows without an end');

// A pool job hangs on where it was asked for, and its thread has a name; what was printed is a moment.
const job = of('X').find(({ name }) => name === 'crypto job');
assert.match(of('M').find(({ tid }) => tid === job.tid).args.name, /^pool thread \d+$/);
assert.ok(of('f').some(({ id, tid, ts }) => id.startsWith('job') && tid === job.tid && Math.abs(ts - job.ts) < 1));
assert.deepStrictEqual(of('i').map(({ name }) => name), ['key']);

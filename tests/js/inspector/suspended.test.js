// Functions, generators and modules that are suspended while a debugger comes or goes, or coverage begins, go on where they were with
// their variables; so does a module that waits for another.
'use strict';

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { InspectorClient } = require('../../fixtures/inspector_client.js');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-suspended-'));
const write = (name, text) => {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  return file;
};

// Everything waits for `gate`, which main opens once it was told to.
write('gate.mjs', `let open;
export const gate = new Promise((resolve) => { open = resolve; });
export { open };
export const lines = [];`);
write('waiting.mjs', `import { gate, lines } from './gate.mjs';
let counted = 1, inner = 10;
const captured = { name: 'captured' };
const read = () => captured.name + inner;
let plain = 1, other = 2; // of no function
setImmediate(() => {
  console.log('waiting');
  if (!process.execArgv.length) finish();
});
export let shared = 5;
for (let i = 0; i < 3; i++) {
  const twice = i * 2;
  const { a, ...others } = { a: 1, b: twice, c: i };
  try {
    await gate;
    if (i === 1) throw new Error('thrown');
  } catch (error) {
    lines.push(error.message + i);
  } finally {
    inner++;
  }
  counted += twice + others.b;
  shared += a;
  plain++;
}
class Late { #x = counted; get x() { return this.#x; } }
lines.push(['waiting', counted, inner, read(), shared, new Late().x, plain, other].join());
await null;
lines.push('end of waiting');`);
write('importer.mjs', `import { lines } from './gate.mjs';
import { shared } from './waiting.mjs';
let first = 1, second = 2, third = 3;
{ let first = 10; second += first; }
function add() { return first + second; }
lines.push(['importer', shared, first, second, third, add()].join());
export default lines;`);
write('functions.mjs', `import { gate, lines } from './gate.mjs';
async function plain(p, q = 3, ...rest) {
  let a = 1, b = 2;
  const list = [1, 2];
  for (const [i, v] of list.entries()) { const w = v * 2; await gate; a += w + i; }
  b += a;
  lines.push(['plain', p, q, rest, a, b, list].join());
}
function* generator(p) {
  let i = 0, kept = 'kept';
  try { while (i < 3) { const got = yield [p, i++, kept, arguments.length]; kept += got; } } finally { lines.push('finally ' + kept); }
}
async function* asyncGenerator(n) {
  for (let i = 0, end = n; i < end; i++) { const twice = i * 2; await gate; yield [twice, i, end]; }
}
class Owner { #part = 4; async method(x) { const y = x + this.#part; await gate; return [y, x, this.#part]; } }
const running = generator('p');
running.next();
const all = [plain(1, undefined, 5), new Owner().method(3), Promise.all([1, 2].map(async (n) => { const ten = n * 10; await gate; return n + ten; })),
  (async () => { const got = []; for await (const v of asyncGenerator(3)) got.push(v); return got; })()];
export const ended = Promise.all(all).then((results) => {
  lines.push(JSON.stringify(results.slice(1)), JSON.stringify([running.next(1), running.next(2), running.next(3)]));
});`);
const main = write('main.mjs', `import { open, lines } from './gate.mjs';
import { ended } from './functions.mjs';
const imported = import('./importer.mjs');
globalThis.finish = async () => {
  open();
  await imported;
  await ended;
  console.log(lines.join('\\n'));
  clearInterval(alive);
};
const alive = setInterval(() => {}, 1000);`);

const alone = spawnSync(process.execPath, [main], { encoding: 'utf8' });
assert.strictEqual(alone.status, 0, alone.stderr);
assert.match(alone.stdout, /^waiting,13,13,captured13,8,13,4,2$/m);
assert.match(alone.stdout, /^importer,8,1,12,3,13$/m);
assert.match(alone.stdout, /^end of waiting$/m);

// What is done while all are suspended. Each message is answered before the next is sent, and JavaScript has returned between.
const coverage = ['Profiler.startPreciseCoverage', { callCount: true, detailed: true }];
const ways = {
  'a debugger comes': [['Debugger.enable']],
  'a debugger comes and goes': [['Debugger.enable'], ['Debugger.disable']],
  'a debugger comes twice': [['Debugger.enable'], ['Debugger.disable'], ['Debugger.enable']],
  'coverage begins': [['Profiler.enable'], coverage],
  'coverage ends': [['Profiler.enable'], coverage, ['Profiler.stopPreciseCoverage']],
  'both': [['Profiler.enable'], coverage, ['Debugger.enable'], ['Profiler.stopPreciseCoverage'], ['Debugger.disable']],
  'a profile is taken': [['Profiler.enable'], ['Profiler.start'], ['Profiler.stop']],
  'a heap snapshot is taken': [['Debugger.enable'], ['HeapProfiler.collectGarbage'], ['Debugger.disable'], ['HeapProfiler.collectGarbage']],
};

// A program that is gone answers nothing.
let isDone = false;
process.on('exit', () => assert(isDone));

async function run(messages, isAttachedFirst) {
  const client = await InspectorClient.start([isAttachedFirst ? '--inspect-wait=0' : '--inspect=0', main]);
  if (isAttachedFirst) {
    await client.post('Debugger.enable');
    await client.post('Runtime.runIfWaitingForDebugger');
  }
  client.child.stdout.on('data', () => {});
  while (!client.stdout.includes('waiting')) {
    await Promise.race([new Promise((resolve) => { client.child.stdout.once('data', resolve); }), client.exited]);
  }
  for (const [method, params] of messages) await client.post(method, params);
  await client.post('Runtime.evaluate', { expression: 'finish()', awaitPromise: true });
  assert.strictEqual(await client.end(), 0, client.stderr);
  assert.strictEqual(client.stdout, alone.stdout);
}

(async () => {
  for (const messages of Object.values(ways)) await run(messages, false);
  await run([['Debugger.disable']], true);
  await run([['Debugger.disable'], ['Debugger.enable']], true);
  isDone = true;
  fs.rmSync(folder, { recursive: true });
})();

// How a worker ends: by itself, process.exit, an error, terminate() in whatever it does; only it ends (S191, S214).
'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const { once } = require('node:events');
const { Worker } = require('node:worker_threads');

const run = (text, options) => new Worker(text, { eval: true, ...options });

// What a worker fails with, when it has ended.
async function failure(worker) {
  let error;
  worker.once('error', (e) => { error = e; });
  assert.strictEqual(await new Promise((resolve) => worker.once('exit', resolve)), 1);
  return error;
}

async function exits() {
  assert.deepStrictEqual(await once(run(''), 'exit'), [0]);
  assert.deepStrictEqual(await once(run('process.exit(7)'), 'exit'), [7]);
  assert.deepStrictEqual(await once(run('process.exitCode = 3'), 'exit'), [3]);
  assert.deepStrictEqual(await once(run("process.on('exit', () => { process.exitCode = 9 })"), 'exit'), [9]);
  assert.deepStrictEqual(await once(run('setInterval(() => {}, 1); setTimeout(() => process.exit(), 5)'), 'exit'), [0]);
  assert.deepStrictEqual(await once(run('try { process.exit(2) } finally { for (;;); }'), 'exit'), [2]);
}

async function errors() {
  const events = [];
  const worker = run(`
    class Own extends RangeError { constructor(m) { super(m); this.code = 'OWN'; this.extra = { n: 1 }; } }
    process.on('exit', (code) => require('node:worker_threads').parentPort.postMessage('exit ' + code));
    setTimeout(() => { throw new Own('expected') }, 1)`);
  worker.on('message', (m) => events.push(m));
  worker.on('error', (e) => events.push(e));
  const code = await new Promise((resolve) => worker.once('exit', resolve));
  assert.strictEqual(code, 1);
  assert.strictEqual(events[0], 'exit 1');
  const [, error] = events;
  assert(error instanceof RangeError);
  assert.deepStrictEqual([error.message, error.code, error.extra], ['expected', 'OWN', { n: 1 }]);
  assert.match(error.stack, /expected[^]*\[worker eval\]/);

  for (const [text, expected] of [['throw 5', 5], ['throw null', null], ['Promise.reject(undefined)', undefined]]) {
    const one = run(text);
    const error = await failure(one);
    if (expected === undefined) assert.strictEqual(error.code, 'ERR_UNHANDLED_REJECTION');
    else assert.strictEqual(error, expected);
  }
  const handled = run("process.on('uncaughtException', (e) => process.exit(e.n)); throw { n: 4 }");
  assert.deepStrictEqual(await once(handled, 'exit'), [4]);
  assert.strictEqual((await failure(run('(function f() { f() })()'))).name, 'RangeError');
}

async function stops() {
  const busy = [
    'for (;;);', 'for (;;) JSON.parse("[1]");', 'while (true) { try { for (;;) []; } catch {} }', 'setInterval(() => {}, 1)',
    'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)', '(function again() { Promise.resolve().then(again) })()',
    '(function again() { process.nextTick(again) })()', 'process.on("exit", () => { for (;;); }); for (;;);',
    "require('node:vm').runInNewContext('for (;;);')", 'new Promise(() => {}); setTimeout(() => {}, 1e9)',
    "'a'.repeat(30) + '!'; /^(a+)+$/.test('a'.repeat(40) + '!')",
  ];
  for (const text of busy.slice(0, -1)) {
    const worker = run(text);
    await once(worker, 'online');
    assert.strictEqual(await worker.terminate(), 1, text);
  }
  // Asleep for certain: the thread has told so, and then some time has passed.
  const cells = new Int32Array(new SharedArrayBuffer(4));
  const asleep = run(`const { workerData: cells } = require('node:worker_threads');
    Atomics.store(cells, 0, 1); Atomics.wait(cells, 0, 1);`, { workerData: cells });
  while (Atomics.load(cells, 0) === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.strictEqual(await asleep.terminate(), 1);
  // Before it has begun, or just after: 0 or 1, as in Node (ending_codes.test.js).
  for (let i = 0; i < 3; i++) assert.ok([0, 1].includes(await run('for (;;);').terminate()));
  const twice = run('for (;;);');
  const [first, second] = await Promise.all([twice.terminate(), twice.terminate()]);
  assert.strictEqual(first, second);
  assert.strictEqual(await twice.terminate(), undefined);
}

// One that is ended while it deals with an error of its own has nothing to say.
function quietly() {
  const { status, stderr, stdout } = spawnSync(process.execPath, ['-e', `
    const { Worker } = require('node:worker_threads');
    const worker = new Worker(\`const { parentPort } = require('node:worker_threads');
      process.on('uncaughtException', () => { parentPort.postMessage('busy'); for (;;); });
      throw new Error('expected')\`, { eval: true });
    worker.on('message', async () => console.log(await worker.terminate()))`], { encoding: 'utf8', timeout: 60000 });
  assert.deepStrictEqual([status, stderr, stdout], [0, '', '1\n']);
}

async function nested() {
  const worker = run(`const { Worker, parentPort } = require('node:worker_threads');
    const inner = new Worker('for (;;);', { eval: true });
    inner.on('online', () => parentPort.postMessage('up'));`);
  await once(worker, 'message');
  assert.strictEqual(await worker.terminate(), 1);
}

async function memory() {
  const worker = run('const all = []; for (;;) all.push(new Array(100).fill({}))', { resourceLimits: { maxOldGenerationSizeMb: 32 } });
  const error = await failure(worker);
  assert.strictEqual(error.code, 'ERR_WORKER_OUT_OF_MEMORY');
  assert.strictEqual(error.message, 'Worker terminated due to reaching memory limit: JS heap out of memory');
}

let done = false;
(async () => {
  await exits();
  await errors();
  await stops();
  quietly();
  await nested();
  await memory();
  done = true;
})();
process.on('exit', () => assert(done));

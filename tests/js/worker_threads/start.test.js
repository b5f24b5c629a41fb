// A worker from a file, a URL, a text and a data: URL; what it is given: workerData, argv, execArgv, env, a name, limits (S26, S191).
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { once } = require('node:events');
const { pathToFileURL } = require('node:url');
const threads = require('node:worker_threads');
const { Worker, SHARE_ENV } = threads;

assert.strictEqual(threads.isMainThread, true);
assert.strictEqual(threads.threadId, 0);
assert.strictEqual(threads.parentPort, null);
assert.strictEqual(threads.workerData, null);
assert.deepStrictEqual(threads.resourceLimits, {});

const kReport = `
  const t = require('node:worker_threads');
  t.parentPort.postMessage({ main: t.isMainThread, id: t.threadId, name: t.threadName, data: t.workerData, argv: process.argv.slice(1),
    execArgv: process.execArgv, env: process.env.RONDO_TEST_START, limits: t.resourceLimits, pid: process.pid, set: typeof globalThis.leak });
`;

async function report(filename, options) {
  const worker = new Worker(filename, options);
  assert.strictEqual(worker.threadName, options?.name ?? 'WorkerThread');
  const id = worker.threadId;
  assert(id > 0);
  const order = [];
  worker.on('online', () => order.push('online'));
  worker.on('exit', (code) => order.push(`exit ${code}`));
  const [message] = await once(worker, 'message');
  order.push('message');
  await once(worker, 'exit');
  assert.deepStrictEqual(order, ['online', 'message', 'exit 0']);
  assert.strictEqual(message.id, id);
  assert.strictEqual(message.main, false);
  assert.strictEqual(message.pid, process.pid);
  assert.strictEqual(message.set, 'undefined');
  assert.strictEqual(worker.threadId, -1);
  assert.strictEqual(worker.threadName, null);
  assert.deepStrictEqual(worker.resourceLimits, {});
  return message;
}

async function main() {
  globalThis.leak = 1;
  process.env.RONDO_TEST_START = 'main';
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-workers-'));
  const file = path.join(folder, 'report.js');
  fs.writeFileSync(file, kReport);
  const moduleFile = path.join(folder, 'report.mjs');
  fs.writeFileSync(moduleFile, `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);${kReport}`);

  const data = { list: [1, new Map([[1, new Set([2])]])], when: new Date(0) };
  const fromFile = await report(file, { workerData: data, argv: ['a', 1], name: 'named', env: { RONDO_TEST_START: 7 } });
  assert.deepStrictEqual(fromFile.data, data);
  assert.deepStrictEqual(fromFile.argv, [file, 'a', '1']);
  assert.strictEqual(fromFile.env, '7');
  assert.strictEqual(fromFile.name, 'named');

  assert.deepStrictEqual((await report(pathToFileURL(file))).argv, [file]);
  assert.strictEqual((await report(moduleFile)).env, 'main');
  const text = await report(kReport, { eval: true, execArgv: ['--no-warnings'], resourceLimits: { maxOldGenerationSizeMb: 64 } });
  assert.deepStrictEqual(text.argv, ['[worker eval]']);
  assert.deepStrictEqual(text.execArgv, ['--no-warnings']);
  assert.strictEqual(text.limits.maxOldGenerationSizeMb, 64);
  assert.strictEqual(text.limits.stackSizeMb, 4);
  const inUrl = new URL(`data:text/javascript,import { createRequire } from 'node:module'; const require = createRequire('file:///');${
    encodeURIComponent(kReport)}`);
  assert.strictEqual((await report(inUrl)).env, 'main');

  // An environment of its own, and ours.
  for (const [env, expected] of [[undefined, 'main'], [SHARE_ENV, 'worker']]) {
    const worker = new Worker("process.env.RONDO_TEST_START = 'worker'; delete process.env.RONDO_TEST_GONE", { eval: true, env });
    process.env.RONDO_TEST_GONE = 'yes';
    await once(worker, 'exit');
    assert.strictEqual(process.env.RONDO_TEST_START, expected);
    assert.strictEqual(process.env.RONDO_TEST_GONE, expected === 'main' ? 'yes' : undefined);
  }

  const bad = [
    [[{}], 'ERR_INVALID_ARG_TYPE'], [['file.js'], 'ERR_WORKER_PATH'], [[new URL('https://example.org/')], 'ERR_INVALID_URL_SCHEME'],
    [[file, { env: 5 }], 'ERR_INVALID_ARG_TYPE'], [[file, { argv: 'x' }], 'ERR_INVALID_ARG_TYPE'],
    [[file, { execArgv: ['--no-such-thing'] }], 'ERR_WORKER_INVALID_EXEC_ARGV'], [[new URL('file:///x'), { eval: true }], 'ERR_INVALID_ARG_VALUE'],
    [[file, { execArgv: ['--title=x'] }], 'ERR_WORKER_INVALID_EXEC_ARGV'], [[file, { name: 5 }], 'ERR_INVALID_ARG_TYPE'],
  ];
  for (const [args, code] of bad) assert.throws(() => new Worker(...args), { code });
  assert.throws(() => new Worker(file, { workerData: () => {} }), { name: 'DataCloneError' });

  const missing = new Worker(path.join(folder, 'missing.js'));
  let error;
  missing.once('error', (e) => { error = e; });
  assert.strictEqual(await new Promise((resolve) => missing.once('exit', resolve)), 1);
  assert.strictEqual(error.code, 'MODULE_NOT_FOUND');
  fs.rmSync(folder, { recursive: true });
}

let done = false;
main().then(() => { done = true; });
process.on('exit', () => assert(done));

// The web's Worker: classic and module, self, importScripts, close(), errors (S26, S191, S214).
// flags: --experimental-web-worker
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

assert(!Object.keys(globalThis).includes('Worker'));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-web-workers-'));
function script(name, text) {
  fs.writeFileSync(path.join(folder, name), text);
  return pathToFileURL(path.join(folder, name));
}
const next = (worker, type = 'message') => new Promise((resolve) => worker.addEventListener(type, resolve, { once: true }));

async function classic() {
  script('part.js', 'var part = "imported " + self.name;');
  const worker = new Worker(script('classic.js', `
    importScripts('part.js');
    self.onmessage = ({ data }) => {
      data.list.push(part, typeof window, self === globalThis, self instanceof DedicatedWorkerGlobalScope, location.protocol, typeof require);
      postMessage(data);
      self.close();
    };`), { name: 'n' });
  const sent = { list: [] };
  worker.postMessage(sent);
  const { data } = await next(worker);
  assert.deepStrictEqual(data.list, ['imported n', 'undefined', true, true, 'file:', 'undefined']);
  assert.deepStrictEqual(sent.list, []);
}

async function asModule() {
  script('dependency.mjs', 'export const value = 40;');
  const worker = new Worker(script('module.mjs', `import { value } from './dependency.mjs';
    addEventListener('message', ({ data }) => { postMessage(value + data + (typeof importScripts === 'undefined' ? 0 : 100)); close(); });`), { type: 'module' });
  worker.postMessage(2);
  assert.strictEqual((await next(worker)).data, 42);
  const inData = new Worker('data:text/javascript,postMessage(1 + 1)');
  assert.strictEqual((await next(inData)).data, 2);
  const inBlob = new Worker(URL.createObjectURL(new Blob(['postMessage([1, 2, 3])'])));
  assert.deepStrictEqual((await next(inBlob)).data, [1, 2, 3]);
}

// The task and its microtasks finish; what is queued does not run.
async function closing() {
  const worker = new Worker(script('close.js', `
    setTimeout(() => { postMessage('a'); close(); Promise.resolve().then(() => postMessage('microtask')); postMessage('b'); }, 1);
    setTimeout(() => postMessage('never'), 1);
    setImmediate(function again() { setImmediate(again); });
    const end = Date.now() + 5; while (Date.now() < end);`));
  const got = [];
  worker.onmessage = ({ data }) => got.push(data);
  const { Worker: Inner } = require('node:worker_threads');
  assert.notStrictEqual(Inner, Worker);
  await new Promise((resolve) => { process.once('beforeExit', resolve); });
  assert.deepStrictEqual(got, ['a', 'b', 'microtask']);
}

// An error does not end the worker; what it prevents does not reach the owner.
async function errors() {
  const worker = new Worker(script('errors.js', `
    self.onerror = (message, file, line, column, error) =>
      message === 'Uncaught Error: kept' && file.endsWith('errors.js') && line === 4 && column > 0 && error.message === 'kept';
    self.onmessage = ({ data }) => { if (data === 'end') { postMessage('alive'); close(); } else throw new Error(data); };`));
  let count = 0;
  worker.onerror = (event) => {
    count++;
    assert.strictEqual(event.message, 'Uncaught Error: told');
    assert.match(event.filename, /errors\.js$/);
    event.preventDefault();
  };
  worker.postMessage('kept');
  worker.postMessage('told');
  worker.postMessage('end');
  assert.strictEqual((await next(worker)).data, 'alive');
  assert.strictEqual(count, 1);
  // Thrown by the script itself: also what is no error, also in a blob; with its place.
  for (const url of ['data:text/javascript,throw%205', URL.createObjectURL(new Blob(['throw 5']))]) {
    const thrower = new Worker(url);
    thrower.addEventListener('error', (e) => e.preventDefault());
    const { message, error } = await next(thrower, 'error');
    assert.deepStrictEqual([message, error], ['Uncaught 5', 5]);
  }
  const inData = new Worker('data:text/javascript,/**/%20throw%20new%20Error(1)');
  inData.addEventListener('error', (e) => e.preventDefault());
  const { lineno, filename } = await next(inData, 'error');
  assert.deepStrictEqual([lineno, filename], [1, 'data:text/javascript,/**/%20throw%20new%20Error(1)']);
  const missing = new Worker(pathToFileURL(path.join(folder, 'missing.js')));
  const event = next(missing, 'error');
  missing.addEventListener('error', (e) => e.preventDefault());
  assert.strictEqual((await event).error.code, 'ENOENT');
  assert.throws(() => new Worker('https://example.org/w.js'), { name: 'SecurityError' });
  assert.throws(() => new Worker('x.js', { type: 'other' }), TypeError);
  const busy = new Worker('data:text/javascript,postMessage(0); for (;;);');
  await next(busy);
  busy.terminate();
}

let done = false;
(async () => {
  await classic();
  await asModule();
  await errors();
  await closing();
  done = true;
  fs.rmSync(folder, { recursive: true });
})();
process.on('exit', () => assert(done));

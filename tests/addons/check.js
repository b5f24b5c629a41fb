// Run by tests/cli/addons.test.sh with the folder of the compiled addons: values, errors, classes, finalizers, work on the pool, threads,
// buffers, workers, and addons that cannot be loaded.
'use strict';
const assert = require('assert');
const { AsyncLocalStorage } = require('async_hooks');
const fs = require('fs');
const path = require('path');
const util = require('util');
const { Worker, isMainThread, workerData } = require('worker_threads');

const folder = isMainThread ? process.argv[2] : workerData;
const sample = require(path.join(folder, 'sample.node'));

function values() {
  assert.strictEqual(sample.add(1, 2.5), 3.5);
  assert.throws(() => sample.add('1'), { name: 'TypeError', code: 'ERR_SAMPLE', message: 'numbers wanted' });
  assert.strictEqual(sample.call((x) => x * 2, 4), 8);
  const thrown = new Error('mine');
  assert.throws(() => sample.call(() => { throw thrown; }), (error) => error === thrown);
  assert.deepStrictEqual(sample.caught(() => { throw thrown; }), [10, thrown]);
  assert.strictEqual(sample.words(), -((1n << 64n) + 5n));
  assert.strictEqual(sample.add.name, 'add');
  assert.ok(util.types.isExternal(sample.external()));
  assert.match(util.inspect(sample.external()), /^\[External: [0-9a-f]+\]$/);
  assert.strictEqual(sample.handles(20000), 20000);
}

function classes() {
  class Derived extends sample.Counter { twice() { this.next(); return this.next(); } }
  const counter = new Derived(5);
  assert.strictEqual(counter.twice(), 7);
  assert.ok(counter instanceof sample.Counter && Object.getPrototypeOf(counter) === Derived.prototype);
  assert.throws(() => sample.Counter.prototype.next.call({}), { name: 'TypeError', message: 'Illegal invocation' });
}

function bytes() {
  const buffer = sample.lent();
  assert.ok(Buffer.isBuffer(buffer) && buffer.equals(Buffer.from([1, 2, 3, 4])));
  assert.strictEqual(sample.sum(buffer.subarray(1)), 9);
  assert.strictEqual(sample.sum(new Uint8Array([250, 5])), 255);
  assert.throws(() => structuredClone(buffer.buffer, { transfer: [buffer.buffer] }), { name: 'DataCloneError' });
}

async function later() {
  const storage = new AsyncLocalStorage();
  assert.strictEqual(await storage.run('kept', async () => {
    assert.strictEqual(await sample.square(12), 144);
    return storage.getStore();
  }), 'kept');
  const seen = [];
  await storage.run('threads', () => new Promise((resolve) => {
    sample.fromThread((i) => {
      seen.push(`${storage.getStore()} ${i}`);
      Promise.resolve().then(() => seen.push(`microtask ${i}`));
      if (i === 3) setImmediate(resolve);
    }, 4);
  }));
  // Each call is a turn of its own: its microtasks run before the next call.
  assert.deepStrictEqual(seen, [0, 1, 2, 3].flatMap((i) => [`threads ${i}`, `microtask ${i}`]));
}

async function finalizers() {
  const before = sample.finalized;
  for (let i = 0; i < 200; i++) new sample.Counter(i).next();
  for (let tries = 0; sample.finalized < before + 100; tries++) {
    assert.ok(tries < 200, `${sample.finalized - before} of 200 finalizers have run`);
    globalThis.gc();
    await new Promise(setImmediate);
  }
}

function refusals() {
  const load = (name) => () => require(path.join(folder, name));
  fs.writeFileSync(path.join(folder, 'text.node'), 'not an addon');
  assert.throws(load('text.node'), { code: 'ERR_DLOPEN_FAILED', message: /invalid ELF header|file too short/ });
  // Of another processor, of 32 bits, and cut anywhere.
  const plain = fs.readFileSync(path.join(folder, 'plain.node'));
  const changed = (name, at, value) => fs.writeFileSync(path.join(folder, name), plain.map((byte, i) => (i === at ? value : byte)));
  changed('processor.node', 18, process.arch === 'arm64' ? 62 : 183);
  assert.throws(load('processor.node'), { code: 'ERR_DLOPEN_FAILED', message: /built for another processor: (arm64|x64)$/ });
  changed('bits.node', 4, 1);
  assert.throws(load('bits.node'), { code: 'ERR_DLOPEN_FAILED', message: /wrong ELF class: ELFCLASS32/ });
  for (let size = 0; size < plain.length; size += 97) {
    const cut = `cut${size}.node`;
    fs.writeFileSync(path.join(folder, cut), plain.subarray(0, size));
    // A last part that is not mapped may be missing: then it is the addon that does not register.
    assert.throws(load(cut), { code: 'ERR_DLOPEN_FAILED', message: /too short|cannot read file data|self-register/ });
  }
  assert.throws(load('plain.node'), { code: 'ERR_DLOPEN_FAILED', message: /Module did not self-register: '.*plain\.node'\./ });
  assert.throws(load('future.node'), { message: /requires Node-API version 99, but this version of Node\.js only supports version 10 add-ons\./ });
  assert.throws(load('engine.node'), { code: 'ERR_DLOPEN_FAILED', message: /written for V8's C\+\+ interface/ });
  assert.throws(load('constructor.node'), { code: 'ERR_DLOPEN_FAILED', message: /node_module_register\nThis addon is written for V8's C\+\+ interface/ });
  assert.throws(load('library.node'), { code: 'ERR_DLOPEN_FAILED', message: /undefined symbol: uv_no_such_function/ });
  assert.throws(() => process.dlopen({ exports: {} }), { code: 'ERR_MISSING_ARGS' });
}

(async () => {
  values();
  classes();
  bytes();
  await later();
  if (!isMainThread) return;
  await finalizers();
  refusals();
  assert.strictEqual(process.versions.napi, '10');
  const worker = new Worker(__filename, { workerData: folder });
  const code = await new Promise((resolve, reject) => worker.on('error', reject).on('exit', resolve));
  assert.strictEqual(code, 0);
  console.log('checked');
})();

// WebAssembly that never ends is ended: by vm's timeout and by Worker.terminate(), in every tier of the engine's compilers, a few hundred
// times. No catch and no finally runs, and the process goes on.
'use strict';

const assert = require('assert');
const vm = require('vm');
const { Worker } = require('worker_threads');

// Bodies of the function `f` of a module with a memory, an import `i` (function 0), f (1) and a helper that returns at once (2).
const kBodies = {
  empty: [0x03, 0x40, 0x0c, 0, 0x0b],
  memory: [0x03, 0x40, 0x41, 0, 0x41, 0, 0x28, 2, 0, 0x41, 1, 0x6a, 0x36, 2, 0, 0x0c, 0, 0x0b],
  nested: [0x03, 0x40, 0x03, 0x40, 0x0c, 0, 0x0b, 0x0c, 0, 0x0b],
  calls: [0x03, 0x40, 0x10, 2, 0x0c, 0, 0x0b],
  imports: [0x03, 0x40, 0x10, 0, 0x0c, 0, 0x0b],
};

function section(id, bytes) {
  return [id, bytes.length, ...bytes];
}

function moduleOf(body) {
  return [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
          ...section(1, [1, 0x60, 0, 0]), // type 0: no parameters, no result
          ...section(2, [1, 1, 0x65, 1, 0x69, 0, 0]), // import e.i
          ...section(3, [2, 0, 0]),
          ...section(5, [1, 0, 1]), // a page of memory
          ...section(7, [1, 1, 0x66, 0, 1]), // export f
          ...section(10, [2, body.length + 2, 0, ...body, 0x0b, 2, 0, 0x0b])];
}

function codeOf(name) {
  return `const instance = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([${moduleOf(kBodies[name])}])), { e: { i() {} } });`;
}

const kRuns = 40;
for (const name of Object.keys(kBodies)) {
  for (let i = 0; i < kRuns; i++) {
    let seen = 'nothing';
    const context = { WebAssembly, Uint8Array, see: (what) => { seen = what; } };
    const code = `(() => { ${codeOf(name)} try { instance.exports.f(); } catch { see('catch'); } finally { see('finally'); } })()`;
    assert.throws(() => vm.runInNewContext(code, context, { timeout: 1 + (i % 5) }), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
    assert.strictEqual(seen, 'nothing');
  }
}
// Exceptions of its own are still the program's.
const trap = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(moduleOf([0x00]))), { e: { i() {} } });
assert.throws(() => trap.exports.f(), WebAssembly.RuntimeError);
assert.strictEqual(vm.runInThisContext('1 + 1', { timeout: 10000 }), 2);

async function terminateEach() {
  for (const name of Object.keys(kBodies)) {
    for (let i = 0; i < 4; i++) {
      const worker = new Worker(`${codeOf(name)} require('worker_threads').parentPort.postMessage(0); instance.exports.f();`, { eval: true });
      await new Promise((resolve) => worker.once('message', resolve));
      assert.strictEqual(await worker.terminate(), 1);
    }
  }
}

terminateEach();

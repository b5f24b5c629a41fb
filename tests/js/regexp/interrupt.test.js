// A match that takes for ever ends with its script: by vm's timeout and by Worker.terminate(), whatever kind of pattern it is, and the VM
// is as good as before.
'use strict';

const assert = require('assert');
const vm = require('vm');
const { Worker } = require('worker_threads');

const kEndless = [
  "/^a*a*a*a*a*b/.test('a'.repeat(3000))", // no parentheses
  "/^(a+)+b/.test('a'.repeat(80))",
  "/^(?:[ab]+?)+?c/i.test('ab'.repeat(200) + '\\u0100')",
  "/(?<=x)y|^a*a*a*a*a*b/.test('a'.repeat(3000))", // interpreted
  "/(?<=x)y|^(a+)+b/.test('a'.repeat(80))",
  "/(?<=x)y|^a*a*a*a*a*b/.test('a'.repeat(3000) + '\\u0100')",
  "/(a*)*\\1b/.test('a'.repeat(80))",
  "/a{50000}b/.test('a'.repeat(4e6))",
  "/^.*?.*?.*?.*?.*?b/s.test('a'.repeat(3000))",
  "'a'.repeat(80).replace(/^(a+)+b/g, '')",
  "'a'.repeat(80).split(/^(a+)+b/)",
];

for (const code of kEndless) {
  let seen = 'nothing';
  assert.throws(() => vm.runInNewContext(`try { ${code}; see('an answer') } finally { see('finally') }`,
                                         { see: (what) => { seen = what; } }, { timeout: 20 }),
                { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' }, code);
  assert.strictEqual(seen, 'nothing', code);
}
// The same expressions, compiled already, answer again.
assert.strictEqual(vm.runInNewContext('/^(a+)+b/.test("aab")', {}, { timeout: 10000 }), true);
assert.strictEqual(/^a*a*a*a*a*b/.test('aaab'), true);

async function terminateEach() {
  for (const code of kEndless) {
    const worker = new Worker(`require('worker_threads').parentPort.postMessage(0); ${code}; process.exit(9)`, { eval: true });
    await new Promise((resolve) => worker.once('message', resolve));
    assert.strictEqual(await worker.terminate(), 1, code);
  }
}

terminateEach();

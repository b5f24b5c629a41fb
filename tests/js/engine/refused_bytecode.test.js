// Where the engine's own options ask for code of another kind than the baked one, lib/ is compiled from its text.
'use strict';

const assert = require('assert');
const { spawnSync } = require('child_process');

const program = `
  const { Worker } = require('worker_threads');
  new Worker('console.log(new URL("http://a/b").pathname)', { eval: true });`;
const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
  env: { ...process.env, JSC_forceDebuggerBytecodeGeneration: '1' },
  encoding: 'utf8',
});
assert.strictEqual(status, 0, stderr);
assert.strictEqual(stdout, '/b\n');

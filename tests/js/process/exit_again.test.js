// An 'exit' listener that throws in process.exit(), where the program takes the exception: the program goes on, and 'exit' comes once
// more at its end. A capture callback that throws ends the process with code 7, with --abort-on-uncaught-exception too.
'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');

function run(code, ...flags) {
  const { status, signal, stdout } = spawnSync(process.execPath, [...flags, '-e', code], { encoding: 'utf8' });
  return [status ?? signal, stdout.trim().split('\n')];
}
const takes = 'process.on("uncaughtException", (error) => console.log("caught", error.message)); let n = 0;';
const throwsOnce = 'process.on("exit", (code) => { console.log("exit", code, ++n); if (n === 1) throw new Error("x"); });';

assert.deepStrictEqual(run(`${takes} ${throwsOnce} process.exit(0)`), [0, ['exit 0 1', 'caught x', 'exit 0 2']]);
assert.deepStrictEqual(run(`${takes} ${throwsOnce} setTimeout(() => { process.exit(3); console.log("after"); }, 1); setTimeout(() => console.log("later"), 2)`),
  [3, ['exit 3 1', 'caught x', 'later', 'exit 3 2']]);
// Not where the end came by itself, and not without anybody who takes it.
assert.deepStrictEqual(run(`${takes} ${throwsOnce}`)[1], ['exit 0 1', 'caught x']);
assert.deepStrictEqual(run(`let n = 0; ${throwsOnce} process.exit(0)`)[1], ['exit 0 1']);

const captures = 'process.setUncaughtExceptionCaptureCallback(() => { throw new Error("in") }); throw new Error("out")';
assert.strictEqual(run(captures)[0], 7);
assert.strictEqual(run(captures, '--abort-on-uncaught-exception')[0], 7);

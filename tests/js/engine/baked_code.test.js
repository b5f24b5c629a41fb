// What a start runs of lib/ is in the baked bytecode, constructors too: a worker parses its program and a few functions of the engine's
// own (fourteen functions when the engine's writer of bytecode left out what `new` runs). Builds with a sanitizer have no bytecode.
// skip-asan
'use strict';

const assert = require('assert');
const { spawnSync } = require('child_process');

function parsesOf(workers) {
  const program = `
    const { Worker } = require('worker_threads');
    (function next(left) { if (left > 0) new Worker('setTimeout(() => {}, 1)', { eval: true }).on('exit', () => next(left - 1)); })(${workers})`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', program], {
    env: { ...process.env, JSC_reportParseTimes: '1' },
    encoding: 'utf8',
  });
  assert.strictEqual(status, 0, stderr);
  return stderr.match(/^Parsed /gm).length;
}

const each = (parsesOf(4) - parsesOf(1)) / 3;
assert.ok(each > 0 && each <= 8, `a worker parses ${each} functions`);

// Code that runs once is not compiled: neither the bodies of lib/'s files nor functions called a few times, whether they come
// from baked bytecode or from source.
'use strict';

const assert = require('assert');
const { spawnSync } = require('child_process');

const program = "for (const name of ['fs', 'stream', 'net', 'util', 'url', 'assert']) require(name);";
const { status, stderr, error } = spawnSync(process.execPath, ['-e', program], {
  env: { ...process.env, JSC_reportCompileTimes: '1' },
  encoding: 'utf8',
});
assert.strictEqual(status, 0, error ?? stderr);
// The engine writes a line for each function. A few loops at start-up may be hot; there are some sixty files.
const compiled = stderr.split('\n').filter((line) => line.startsWith('Optimized '));
assert.ok(compiled.length < 30, `${compiled.length} functions were compiled:\n${compiled.slice(0, 40).join('\n')}`);

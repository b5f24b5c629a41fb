'use strict';
// --unhandled-rejections and its neighbours.
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');

function run(code, ...flags) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', code], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

const refused = run('1', '--unhandled-rejections=foobar');
assert.strictEqual(refused.status, 9);
assert.match(refused.stderr, /invalid value for --unhandled-rejections/);

const thrown = run('Promise.reject(null)');
assert.strictEqual(thrown.status, 1);
assert.match(thrown.stderr, /^UnhandledPromiseRejection: .* reason "null"\./m);
assert.match(thrown.stderr, /code: 'ERR_UNHANDLED_REJECTION'/);

const warned = run('Promise.reject("why")', '--unhandled-rejections=warn');
assert.strictEqual(warned.status, 0);
assert.match(warned.stderr, /UnhandledPromiseRejectionWarning: why\n/);

assert.strictEqual(run('Promise.reject(1)', '--unhandled-rejections=warn-with-error-code').status, 1);
assert.strictEqual(run('Promise.reject(1)', '--unhandled-rejections=none').stderr, '');

// A promise that a listener rejects waits for the ticks: handled there, it is never told.
const nested = run(`let told = 0;
process.on('unhandledRejection', () => { told++; const p = Promise.reject(0); process.nextTick(() => p.catch(() => console.log(told))); });
Promise.reject(1);`);
assert.strictEqual(nested.stdout, '1\n');

// --trace-uncaught says where a value without a stack was thrown.
assert.match(run('throw null', '--trace-uncaught').stderr, /^Thrown at:\n {4}at \[eval\]:1:1$/m);
// Without its reporter the process ends with 6.
assert.strictEqual(run('process._fatalException = undefined; throw new Error("x")').status, 6);
assert.match(run('setImmediate(() => fs.statSync("/"))', '--trace-sync-io').stderr, /WARNING: Detected use of sync API[^]*statSync/);

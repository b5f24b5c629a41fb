// breakOnSigint: a SIGINT ends the script with an error that can be caught, a long match too; the process and its own listeners live on.
'use strict';

const assert = require('assert');
const vm = require('vm');

let heard = 0;
process.on('SIGINT', () => { heard++; });

const kInterrupted = { code: 'ERR_SCRIPT_EXECUTION_INTERRUPTED', message: 'Script execution was interrupted by `SIGINT`' };
const strike = 'process.kill(process.pid, "SIGINT");';
assert.throws(() => vm.runInThisContext(`${strike} for (;;);`, { breakOnSigint: true }), kInterrupted);
assert.throws(() => vm.runInThisContext(`${strike} /^(a+)+b/.test("a".repeat(80))`, { breakOnSigint: true, timeout: 60000 }), kInterrupted);
assert.throws(() => vm.runInNewContext(`${strike} for (;;);`, { process }, { breakOnSigint: true }), kInterrupted);
// The inner one ends, the outer goes on.
globalThis.inner = () => {
  assert.throws(() => vm.runInThisContext(`${strike} for (;;);`, { breakOnSigint: true }), kInterrupted);
  return 'outer';
};
assert.strictEqual(vm.runInThisContext('inner()', { breakOnSigint: true }), 'outer');
assert.strictEqual(vm.runInThisContext('1 + 1', { breakOnSigint: true }), 2);
assert.throws(() => vm.runInThisContext('for (;;);', { breakOnSigint: true, timeout: 20 }), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });

// The program's listener has heard of none of them, and hears the next.
setImmediate(() => {
  assert.strictEqual(heard, 0);
  process.kill(process.pid, 'SIGINT');
  const wait = setInterval(() => {
    if (heard === 0) return;
    assert.strictEqual(heard, 1);
    clearInterval(wait);
    process.removeAllListeners('SIGINT');
  }, 5);
});

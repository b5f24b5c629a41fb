// Of nested runs with a time limit, the one whose time ends first ends, and says its own limit.
'use strict';
const assert = require('node:assert');
const vm = require('node:vm');

function nested(outer, inner, code = 'while (true) {}') {
  const context = { again: () => vm.runInNewContext(code, context, { timeout: inner }) };
  return vm.runInNewContext('again()', context, { timeout: outer });
}
const timedOut = (ms) => ({ code: 'ERR_SCRIPT_EXECUTION_TIMEOUT', message: `Script execution timed out after ${ms}ms` });
assert.throws(() => nested(1e6, 20), timedOut(20));
assert.throws(() => nested(20, 1e6), timedOut(20));
assert.throws(() => nested(1e6, 1e6, 'throw new Error("inner")'), { message: 'inner' });
assert.strictEqual(nested(1e6, 1e6, '1 + 1'), 2);
// The outer limit still holds after the inner run.
globalThis.run = () => vm.runInThisContext('1', { timeout: 1e6 });
assert.throws(() => vm.runInThisContext('run(); while (true) {}', { timeout: 50 }), timedOut(50));
// And none holds afterwards.
for (const until = Date.now() + 100; Date.now() < until;);

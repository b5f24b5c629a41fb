// process.allowedNodeEnvironmentFlags: spellings that it forgives, and that nothing changes it.
'use strict';

const assert = require('assert');

const flags = process.allowedNodeEnvironmentFlags;
for (const flag of ['--perf_basic-prof', 'perf-basic-prof', '-r', 'r', '--stack-trace-limit=-=x_x=-', '--no-warnings', '--inspect_brk']) {
  assert.strictEqual(flags.has(flag), true, flag);
}
for (const flag of ['--r', '-R', '---inspect-brk', '--INSPECT-BRK', '--cheese', '--test', '--run', 7]) {
  assert.strictEqual(flags.has(flag), false, String(flag));
}
const { size } = flags;
assert.ok(size > 150);
flags.add('--cheese').clear();
Set.prototype.add.call(flags, '--cheese');
Set.prototype.clear.call(flags);
Set.prototype.delete.call(flags, '-r');
assert.strictEqual(flags.size, size);
assert.deepStrictEqual([...flags].length, size);
assert.deepStrictEqual([...flags.keys()], [...flags.values()]);
assert.ok(flags.has('-r') && !flags.has('--cheese') && Object.isFrozen(flags));

// Freezing process, whose parts are loaded when first touched, freezes those too; and the process ends as ever.
'use strict';

const assert = require('assert');
const { spawnSync } = require('child_process');

Object.freeze(process);
const refusal = (name) => ({ name: 'TypeError', message: `Cannot assign to read only property '${name}' of object '#<process>'` });
assert.throws(() => { process.umask = 1; }, refusal('umask'));
assert.strictEqual(typeof process.hrtime, 'function');
assert.throws(() => { process.hrtime = 1; }, refusal('hrtime'));
assert.throws(() => { delete process.uptime; }, TypeError);
assert.strictEqual(typeof process.uptime, 'function');
assert.strictEqual(typeof process.stdout.write, 'function');
assert.ok(Object.isFrozen(process));
for (const name of Object.keys(process)) {
  const { writable, configurable } = Object.getOwnPropertyDescriptor(process, name);
  assert.ok(!writable && !configurable, name);
}

for (const [end, status] of [['', 0], ['process.exitCode = 3', 3], ['process.exit(4)', 4], ['throw 5', 1]]) {
  const program = `Object.freeze(process); process.on; console.log('out'); ${end}`;
  const child = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  assert.strictEqual(child.stdout, 'out\n', child.stderr);
  assert.strictEqual(child.status, status, child.stderr);
}

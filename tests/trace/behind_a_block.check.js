// An event that came while the loop was blocked has waited since poll last looked, at the most: not nothing.
const assert = require('node:assert');
const { task } = require('./support/records.cjs');

const blocker = task('blocker');
const found = task('socket data');
assert.ok(found.time >= blocker.end.time, 'after the block');
assert.ok(found.payload >= 190e6, `ready for ${found.payload} ns`);

'use strict';
// module.parent warns under --pending-deprecation, once, and not without it.
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');

const text = 'module.parent; module.parent = undefined; module.parent';
const run = (...options) => spawnSync(process.execPath, [...options, '-e', text], { encoding: 'utf8' }).stderr;
assert.strictEqual(run(), '');
assert.strictEqual(run('--pending-deprecation').match(/DEP0144/g).length, 1);

// --env-file: a later file wins, the environment wins over files, a missing one is an error unless it may be missing.
'use strict';

const assert = require('assert');
const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const home = fs.mkdtempSync('/tmp/rondo-env-');
process.on('exit', () => fs.rmSync(home, { recursive: true, force: true }));
const one = path.join(home, 'one.env');
const two = path.join(home, 'two.env');
fs.writeFileSync(one, 'A=1\nB="two words"\nGIVEN=file\n');
fs.writeFileSync(two, 'A=9\n');

const run = (...flags) => spawnSync(process.execPath, [...flags, '-p', 'process.env.A + process.env.B + process.env.GIVEN'], {
  encoding: 'utf8', env: { ...process.env, GIVEN: 'outside' },
});
assert.strictEqual(run(`--env-file=${one}`, `--env-file=${two}`).stdout, '9two wordsoutside\n');
assert.strictEqual(run(`--env-file-if-exists=${path.join(home, 'none')}`, `--env-file=${one}`).stdout, '1two wordsoutside\n');
const missing = run(`--env-file=${path.join(home, 'none')}`);
assert.strictEqual(missing.status, 9);
assert.match(missing.stderr, /none: not found/);

// process.loadEnvFile does the same from inside.
process.loadEnvFile(one);
assert.strictEqual(process.env.B, 'two words');

// mocha: its command line runs a suite (serial, parallel is for workers), its API runs one in this process.
'use strict';
const assert = require('node:assert');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const suite = path.join(__dirname, 'fixtures/suite.js');
const bin = path.join(__dirname, '../node_modules/mocha/bin/mocha.js');
const run = spawnSync(process.execPath, [bin, '--no-config', '--reporter', 'json', suite], { encoding: 'utf8', cwd: __dirname });
assert.strictEqual(run.status, 2, run.stderr + run.stdout);
const { stats, failures } = JSON.parse(run.stdout);
assert.deepStrictEqual([stats.tests, stats.passes, stats.pending, stats.failures], [5, 2, 1, 2]);
assert.deepStrictEqual(failures.map((item) => item.fullTitle), ['outer inner fails', 'outer inner throws later']);
assert.strictEqual(failures[1].err.message, 'late');
const spec = spawnSync(process.execPath, [bin, '--no-config', suite], { encoding: 'utf8', cwd: __dirname });
assert.match(spec.stdout, /✔ sees its hooks[\s\S]*2 passing[\s\S]*1 pending[\s\S]*2 failing/);

// semver: the functions and the command line.
'use strict';
const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const semver = require('semver');

assert(semver.satisfies('1.2.3', '1.x || >=2.5.0 || 5.0.0 - 7.2.3'));
assert.deepStrictEqual(semver.rsort(['1.0.0', '1.10.0', '1.2.0-beta']), ['1.10.0', '1.2.0-beta', '1.0.0']);
assert.strictEqual(semver.inc('1.2.3', 'prerelease', 'beta'), '1.2.4-beta.0');
assert.strictEqual(semver.validRange('^1.2.3'), '>=1.2.3 <2.0.0-0');
assert.throws(() => new semver.SemVer('x'), { name: 'TypeError', message: 'Invalid Version: x' });
const out = execFileSync(process.execPath, [require.resolve('semver/bin/semver.js'), '-r', '^1', '1.5.0', '2.0.0'], { encoding: 'utf8' });
assert.strictEqual(out, '1.5.0\n');
import('semver').then(({ default: imported, gt }) => assert(imported === semver && gt === semver.gt));

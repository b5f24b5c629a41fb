// A function put into process.binding('spawn_sync') sees every synchronous child and may change it.
'use strict';
const assert = require('node:assert');
const { execFileSync, execSync, spawnSync } = require('node:child_process');

const binding = process.binding('spawn_sync');
const { spawn } = binding;
const seen = [];
binding.spawn = function(options) {
  seen.push([options.file, options.args.length]);
  options.envPairs.push('FROM_WRAPPER=yes');
  return Reflect.apply(spawn, this, [options]);
};
const shows = ['-p', 'process.env.FROM_WRAPPER'];
assert.strictEqual(spawnSync(process.execPath, shows, { encoding: 'utf8' }).stdout, 'yes\n');
assert.strictEqual(execFileSync(process.execPath, shows, { encoding: 'utf8' }), 'yes\n');
assert.strictEqual(execSync('echo $FROM_WRAPPER', { encoding: 'utf8' }), 'yes\n');
assert.deepStrictEqual(seen, [[process.execPath, 3], [process.execPath, 3], ['/bin/sh', 3]]);

// dotenv: parse, config from a file, the preload form.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { execFileSync } = require('node:child_process');
const dotenv = require('dotenv');

assert.deepStrictEqual({ ...dotenv.parse('A=1\nB="two\\nlines" # note\nexport C=\'x\'') }, { A: '1', B: 'two\nlines', C: 'x' });
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'dotenv-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
fs.writeFileSync(path.join(folder, '.env'), 'RONDO_DOTENV=from the file\n');
assert.strictEqual(dotenv.config({ path: path.join(folder, '.env'), quiet: true }).error, undefined);
assert.strictEqual(process.env.RONDO_DOTENV, 'from the file');
const env = { ...process.env, DOTENV_CONFIG_QUIET: 'true', DOTENV_CONFIG_PATH: path.join(folder, '.env') };
delete env.RONDO_DOTENV;
const out = execFileSync(process.execPath, ['-r', 'dotenv/config', '-p', 'process.env.RONDO_DOTENV'], { cwd: __dirname, env, encoding: 'utf8' });
assert.strictEqual(out, 'from the file\n');
import('dotenv').then(({ parse }) => assert.strictEqual(typeof parse, 'function'));

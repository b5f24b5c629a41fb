// prettier: formats files of several languages, checks, and its command line.
import assert from 'node:assert';
import path from 'node:path';
import { createRequire } from 'node:module';
import { spawnSync } from 'node:child_process';
import * as prettier from 'prettier';

const require = createRequire(import.meta.url);
assert.strictEqual(await prettier.format('a  =  {b:1}', { parser: 'babel' }), 'a = { b: 1 };\n');
assert.strictEqual(await prettier.format('const x:number=1', { parser: 'typescript', semi: false }), 'const x: number = 1\n');
assert.strictEqual(await prettier.format('a{color:red}', { parser: 'css' }), 'a {\n  color: red;\n}\n');
assert.strictEqual(await prettier.format('* a\n* b\n', { parser: 'markdown' }), '- a\n- b\n');
assert.strictEqual(await prettier.check('a = 1;\n', { parser: 'babel' }), true);
await assert.rejects(prettier.format('a = ;', { parser: 'babel' }), { name: 'SyntaxError' });
assert.strictEqual(await require('prettier').format('[1,2]', { parser: 'json' }), '[1, 2]\n');

const file = path.join(import.meta.dirname, 'fixtures/greeting.js');
const run = spawnSync(process.execPath, [require.resolve('prettier/bin/prettier.cjs'), '--no-config', file], { encoding: 'utf8' });
assert.strictEqual(run.status, 0, run.stderr);
assert.match(run.stdout, /^"use strict";\n\nconst name = "world";/);

// A main module that waits for ever: exit code 13, told to exit listeners too, with the place of the await; not after process.exit.
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-unsettled-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const run = (text, ...flags) => {
  const file = path.join(folder, 'main.mjs');
  fs.writeFileSync(file, text);
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, file], { encoding: 'utf8' });
  return { status, stdout, stderr };
};
const waits = 'process.on("exit", (code) => console.log(code));\nconst f = async () => { await 1; };\nawait new Promise(() => {});\n';
const { status, stdout, stderr } = run(waits);
assert.deepStrictEqual({ status, stdout }, { status: 13, stdout: '13\n' });
assert.match(stderr, /^Warning: Detected unsettled top-level await at file:.*main\.mjs:3\nawait new Promise\(\(\) => \{\}\);\n\^\n/);
assert.deepStrictEqual(run(waits, '--no-warnings'), { status: 13, stdout: '13\n', stderr: '' });
assert.deepStrictEqual(run('process.exitCode = 42; await new Promise(() => {});'), { status: 42, stdout: '', stderr: '' });
assert.deepStrictEqual(run('setImmediate(() => process.exit()); await new Promise(() => {});'), { status: 0, stdout: '', stderr: '' });
assert.deepStrictEqual(run('await 1; console.log(2)'), { status: 0, stdout: '2\n', stderr: '' });
assert.match(run('', '--input-type=module').stderr, /ERR_INPUT_TYPE_NOT_ALLOWED/);

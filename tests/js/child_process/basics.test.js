// Children: streams, exit and close in order, errors, the synchronous forms, time limits, abort.
'use strict';

const assert = require('assert');
const { exec, execFileSync, execSync, spawn, spawnSync } = require('child_process');
const { promisify } = require('util');

const result = spawnSync('sh', ['-c', 'cat; echo problem >&2; exit 3'], { input: 'given', encoding: 'utf8' });
assert.deepStrictEqual([result.status, result.signal, result.stdout, result.stderr], [3, null, 'given', 'problem\n']);
assert.strictEqual(spawnSync('no-such-program').error.code, 'ENOENT');
assert.strictEqual(spawnSync('sleep', ['9'], { timeout: 20 }).error.code, 'ETIMEDOUT');
assert.strictEqual(spawnSync('sh', ['-c', 'yes'], { maxBuffer: 100 }).error.code, 'ENOBUFS');
assert.strictEqual(execSync('echo $NAME', { env: { NAME: 'value' }, encoding: 'utf8' }), 'value\n');
assert.throws(() => execFileSync('sh', ['-c', 'exit 4'], { stdio: 'pipe' }), { status: 4 });
assert.throws(() => spawn(''), { code: 'ERR_INVALID_ARG_VALUE' });
assert.throws(() => spawn('x', 'y'), { code: 'ERR_INVALID_ARG_TYPE' });

const events = [];
const child = spawn('sh', ['-c', 'cat; exit 2']);
child.stdout.setEncoding('utf8').on('data', (text) => events.push(text));
child.on('exit', (code) => events.push(`exit ${code}`)).on('close', (code) => events.push(`close ${code}`));
child.stdin.end('through the pipe');

spawn('no-such-program').on('error', (error) => {
  assert.deepStrictEqual([error.code, error.syscall, error.path], ['ENOENT', 'spawn no-such-program', 'no-such-program']);
  events.push('error');
});

const controller = new AbortController();
spawn('sleep', ['9'], { signal: controller.signal }).on('error', (error) => {
  assert.strictEqual(error.name, 'AbortError');
  events.push('aborted');
});
controller.abort();

promisify(exec)('echo promised').then(({ stdout }) => events.push(stdout));
exec('exit 7', (error) => events.push(`code ${error.code}`));

process.on('exit', () => {
  for (const expected of ['through the pipe', 'error', 'aborted', 'promised\n', 'code 7']) assert.ok(events.includes(expected), expected);
  assert.ok(events.indexOf('close 2') > events.indexOf('exit 2') && events.includes('exit 2'));
});

// Everything that a synchronous call answers, in Node's order: it is what an error of execSync shows.
assert.deepStrictEqual(Object.keys(spawnSync('true')), ['status', 'signal', 'output', 'pid', 'stdout', 'stderr']);
const missing = spawnSync('/no/such/program');
assert.deepStrictEqual(Object.keys(missing), ['error', 'status', 'signal', 'output', 'pid', 'stdout', 'stderr']);
assert.deepStrictEqual([missing.output, missing.stdout, missing.stderr], [null, undefined, undefined]);

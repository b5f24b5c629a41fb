// process.report: its content, its settings, its files; on a signal and for an uncaught exception. And process.binding.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const folder = fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'rondo-report-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

const report = process.report.getReport(Object.assign(new RangeError('why'), { extra: 1 }));
assert.deepStrictEqual(Object.keys(report), [
  'header', 'javascriptStack', 'javascriptHeap', 'nativeStack', 'resourceUsage', 'uvthreadResourceUsage', 'libuv', 'workers',
  'environmentVariables', 'userLimits', 'sharedObjects',
]);
assert.strictEqual(report.header.processId, process.pid);
assert.strictEqual(report.header.cwd, process.cwd());
assert.strictEqual(report.javascriptStack.message, 'RangeError: why');
assert.ok(report.javascriptStack.stack[0].includes(__filename));
assert.deepStrictEqual(report.javascriptStack.errorProperties, { extra: '1' });
assert.ok(report.nativeStack.length > 0);
assert.ok(report.resourceUsage.rss > 0);
assert.strictEqual(report.libuv.at(-1).type, 'loop');
assert.ok('open_files' in report.userLimits);
assert.strictEqual(process.report.getReport().javascriptStack.errorProperties.code, 'ERR_SYNTHETIC');
process.report.excludeEnv = true;
assert.ok(!('environmentVariables' in process.report.getReport()));
assert.throws(() => process.report.getReport(1), { code: 'ERR_INVALID_ARG_TYPE' });
assert.throws(() => { process.report.signal = 'SIGNOT'; }, { code: 'ERR_UNKNOWN_SIGNAL' });
assert.throws(() => { process.report.directory = 1; }, { code: 'ERR_INVALID_ARG_TYPE' });

const run = (...args) => spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
const made = () => {
  const names = fs.readdirSync(folder);
  assert.strictEqual(names.length, 1, names.join());
  const text = fs.readFileSync(path.join(folder, names[0]), 'utf8');
  fs.unlinkSync(path.join(folder, names[0]));
  return { name: names[0], text, report: JSON.parse(text) };
};

const thrown = run('--report-uncaught-exception', '--report-compact', '-e', 'throw new Error("not caught")');
assert.strictEqual(thrown.status, 1);
const uncaught = made();
assert.match(uncaught.name, /^report\.\d{8}\.\d{6}\.\d+\.0\.001\.json$/);
assert.strictEqual(uncaught.text.trim().split('\n').length, 1);
assert.strictEqual(uncaught.report.header.event, 'Exception');
assert.strictEqual(uncaught.report.javascriptStack.message, 'Error: not caught');

run('-e', 'process.report.filename = "mine.json"; process.report.writeReport()');
assert.strictEqual(made().report.header.filename, 'mine.json');
run('--report-on-signal', '--report-signal=SIGUSR1', '-e', `
  process.kill(process.pid, 'SIGUSR1');
  const look = () => (fs.readdirSync('.').length > 0 ? undefined : setImmediate(look));
  look()`);
assert.strictEqual(made().report.header.trigger, 'SIGUSR1');

assert.strictEqual(process.binding('fs').readFileUtf8(__filename, 0), require('node:fs').readFileSync(__filename, 'utf8'));
assert.strictEqual(process.binding('fs').readFileUtf8.name, 'readFileUtf8');
assert.deepStrictEqual([__filename, __dirname, '/nothing'].map((name) => process.binding('fs').internalModuleStat(name)), [0, 1, -2]);
assert.strictEqual(process.binding('constants').os, require('node:os').constants);
assert.strictEqual(process.binding('constants').zlib, require('node:zlib').constants);
assert.strictEqual(process.binding('buffer').kMaxLength, require('node:buffer').kMaxLength);
assert.strictEqual(process.binding('tty_wrap').isTTY(-1), false);
assert.deepStrictEqual([process.binding.name, process.binding.length, process._linkedBinding.length], ['binding', 1, 1]);
assert.throws(() => process._linkedBinding('x'), { message: 'No such binding was linked: x', code: 'ERR_INVALID_MODULE' });
assert.strictEqual(process.binding('uv').UV_ENOENT, -2);
assert.match(require('node:child_process').spawnSync(process.execPath, ['--pending-deprecation', '-e', 'process.binding("uv")']).stderr.toString(),
  /\[DEP0111\] DeprecationWarning: process\.binding\(\) is deprecated\. Please use public APIs instead\./);
assert.throws(() => process.binding('no such'), { message: 'No such module: no such' });

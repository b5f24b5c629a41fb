// An error thrown by an 'uncaughtException' listener is shown with its properties (exit code 7); other details of children: the order of
// environment files, coverage of workers and of children with an environment of their own, --disable-proto in contexts, modules that
// declare the names of CommonJS.
'use strict';

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'handler-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const write = (name, text) => fs.writeFileSync(path.join(folder, name), text);
const run = (args, env = {}) =>
  spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_V8_COVERAGE: undefined, ...env } });

const thrown = run(['-e', "process.on('uncaughtException', (e) => { e.again = true; throw e }); throw new Error('boom')"]);
assert.match(thrown.stderr, /Error: boom[^]*again: true/);
assert.strictEqual(thrown.status, 7);

write('a.env', 'PLACE=a\n');
write('b.env', 'PLACE=b\n');
assert.strictEqual(run(['--env-file-if-exists=a.env', '--env-file=b.env', '-p', 'process.env.PLACE']).stdout, 'b\n');
assert.strictEqual(run(['--env-file=b.env', '--env-file-if-exists', 'a.env', '-p', 'process.env.PLACE']).stdout, 'a\n');

write('worker.js', 'if (true) globalThis.ran = 1;');
write('owner.js', "new (require('worker_threads').Worker)(require('path').join(__dirname, 'worker.js'));");
write('parent.js', "require('child_process').spawnSync(process.execPath, ['worker.js'], { env: {} });");
for (const file of ['owner.js', 'parent.js']) {
  const coverage = path.join(folder, `of_${file}`);
  assert.strictEqual(run([file], { NODE_V8_COVERAGE: coverage }).status, 0);
  const texts = fs.readdirSync(coverage).map((name) => fs.readFileSync(path.join(coverage, name), 'utf8'));
  assert.ok(texts.some((text) => text.includes('/worker.js"')), `worker.js is covered by ${file}`);
}

const inContext = "require('vm').runInContext('({}).__proto__', require('vm').createContext())";
assert.strictEqual(run(['--disable-proto=delete', '-p', inContext]).stdout, 'undefined\n');
assert.match(run(['--disable-proto=throw', '-p', inContext]).stderr, /ERR_PROTO_ACCESS/);

write('names.js', 'const exports = 1, require = 2, module = 3; console.log(exports + require + module);');
assert.strictEqual(run(['names.js']).stdout, '6\n');

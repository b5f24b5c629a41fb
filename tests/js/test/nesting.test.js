// node:test: test() inside a running test is its subtest; hooks and plans that come late.
'use strict';

const assert = require('assert');
const { spawnSync } = require('child_process');

function run(program, ...options) {
  const { stdout, status, signal } = spawnSync(process.execPath, ['--test-reporter=tap', ...options, '-e', program], { encoding: 'utf8', timeout: 60000 });
  assert.strictEqual(signal, null, `it ended by itself: ${stdout}`);
  return { status, text: stdout.replace(/duration_ms:? [\d.]+/g, 'duration_ms *') };
}

// A test that awaits another one that it declares.
{
  const { status, text } = run(`
    const { test } = require('node:test');
    test('outer', async () => { await test('inner', () => {}); });`);
  assert.strictEqual(status, 0);
  assert.match(text, /^ {4}ok 1 - inner$/m);
  assert.match(text, /^ok 1 - outer$/m);
}

// A root after() that is declared when the first tests are over closes what keeps the process alive.
{
  const { status, text } = run(`
    const test = require('node:test'), server = require('net').createServer();
    test('a', () => {});
    setTimeout(() => server.listen(0, '127.0.0.1', () => { test.after(() => server.close()); test('b', () => {}); }), 30);`);
  assert.strictEqual(status, 0);
  assert.match(text, /# pass 2/);
}

// t.before() in a running test runs at once.
{
  const { status, text } = run(`
    const test = require('node:test');
    test('t', (t) => { let ran = false; t.before(() => { ran = true; }); t.assert.strictEqual(ran, true); });`);
  assert.strictEqual(status, 0, text);
}

// A plan may be met in promise reactions behind the end of the test's function; not any later.
for (const { 0: reactions, 1: code } of [[4, 0], [5, 1]]) {
  const { status, text } = run(`
    require('node:test')('plan', (t) => {
      t.plan(1);
      let promise = Promise.resolve();
      for (let i = 1; i < ${reactions}; i++) promise = promise.then(() => {});
      promise.then(() => t.assert.ok(true));
    });`);
  assert.strictEqual(status, code, text);
}

// A failing hook, a test that never ends within its time, and a test declared too late.
{
  const { status, text } = run(`
    const { describe, it, before, test } = require('node:test');
    describe('hook', () => { before(() => { throw new Error('no'); }); it('is not run', () => {}); });
    test('slow', { timeout: 5 }, () => new Promise((resolve) => setTimeout(resolve, 1e5).unref()));
    let late;
    test('early', (t) => { late = t; });
    test('too late', () => { late.test('never', () => {}); });`);
  assert.strictEqual(status, 1);
  assert.match(text, /not ok 1 - hook\n[^]*failureType: 'hookFailed'/);
  assert.match(text, /test did not finish before its parent and was cancelled/);
  assert.match(text, /test timed out after 5ms/);
  assert.match(text, /test could not be started because its parent finished/);
  assert.match(text, /# cancelled 2\n/);
}

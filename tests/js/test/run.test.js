// run(): events in order, filters, shards, isolation, aborting, and options that are refused.
'use strict';

const assert = require('assert');
const fs = require('fs');
const { join } = require('path');
const { run } = require('node:test');

const folder = fs.mkdtempSync(join(require('os').tmpdir(), 'rondo-run-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const write = (name, text) => {
  fs.writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const a = write('a.js', `const { describe, it } = require('node:test'); describe('suite', () => { it('one', () => {}); it('two', { skip: 'why' }, () => {}); });`);
const b = write('b.mjs', `import test from 'node:test'; test('fails', () => { throw new TypeError('no', { cause: new Error('deep') }); }); test('todo', { todo: true }, () => {});`);
const hangs = write('hangs.js', `require('node:test')('hangs', () => new Promise(() => setInterval(() => {}, 1000)));`);

async function events(options) {
  const list = [];
  for await (const { type, data } of run(options)) list.push({ type, data });
  return list;
}
const named = (list, ...types) => list.filter(({ type }) => types.includes(type)).map(({ type, data }) => `${type.slice(5)} ${data.name}`);

async function main() {
  for (const isolation of ['process', 'none']) {
    const child = `
      const { run } = require('node:test');
      (async () => {
        const seen = [];
        let summary;
        for await (const { type, data } of run({ files: ${JSON.stringify([a, b])}, isolation: '${isolation}' })) {
          if (type === 'test:pass' || type === 'test:fail') seen.push(type.slice(5) + ' ' + data.name + ' ' + data.nesting + (data.skip ? ' ' + data.skip : ''));
          if (type === 'test:fail') seen.push(data.details.error.code, data.details.error.failureType, data.details.error.cause.name, data.details.error.cause.cause.message);
          if (type === 'test:summary' && data.file === undefined) summary = data;
        }
        console.log(JSON.stringify({ seen, counts: summary.counts, success: summary.success }));
      })();`;
    const { stdout } = require('child_process').spawnSync(process.execPath, ['-e', child], { encoding: 'utf8' });
    const { seen, counts, success } = JSON.parse(stdout.trim().split('\n').at(-1));
    assert.deepStrictEqual(seen, [
      'pass one 1', 'pass two 1 why', 'pass suite 0', 'fail fails 0', 'ERR_TEST_FAILURE', 'testCodeFailure', 'TypeError', 'deep', 'pass todo 0',
    ]);
    assert.deepStrictEqual({ ...counts }, { tests: 4, failed: 1, passed: 1, cancelled: 0, skipped: 1, todo: 1, topLevel: 3, suites: 1 });
    assert.strictEqual(success, false);
  }

  assert.deepStrictEqual(named(await events({ files: [a, b], testNamePatterns: /one/ }), 'test:pass', 'test:fail'), ['pass one', 'pass suite', `pass ${b}`]);
  assert.deepStrictEqual(named(await events({ files: [a, b], shard: { index: 2, total: 2 } }), 'test:pass', 'test:fail'), ['fail fails', 'pass todo']);

  const aborted = await events({ files: [hangs], signal: AbortSignal.timeout(400) });
  assert.deepStrictEqual(named(aborted, 'test:fail'), [`fail ${hangs}`]);

  for (const options of [
    { files: 1 }, { isolation: 'x' }, { shard: { index: 3, total: 2 } }, { watch: true, forceExit: true }, { testNamePatterns: [1] },
    { files: [a], globPatterns: ['x'] }, { concurrency: 'x' }, { env: {}, isolation: 'none' }, { randomSeed: -1 },
  ]) {
    assert.throws(() => run(options), { code: /^ERR_/ }, JSON.stringify(options));
  }
}
main();

// A thrown object that says how it is shown is shown so when its file ran in another process, too.
{
  const thrown = write('thrown.js', `
    const { test } = require('node:test');
    test('custom', () => { throw { [Symbol.for('nodejs.util.inspect.custom')]() { return 'customized'; }, foo: 1 }; });
    test('fails', () => { throw { [Symbol.for('nodejs.util.inspect.custom')]() { throw new Error('no'); }, bar: 2 }; });`);
  const { stdout } = require('child_process').spawnSync(process.execPath, ['--test', '--test-reporter=spec', thrown], { encoding: 'utf8' });
  assert.match(stdout, /\n {2}customized\n/);
  assert.match(stdout, /bar: 2/);
}

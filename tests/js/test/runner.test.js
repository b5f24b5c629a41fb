// node:test in one program: order of suites, hooks and subtests; plans; mocks; skip and todo.
'use strict';

const assert = require('assert');
const test = require('node:test');
const { after, before, beforeEach, describe, it } = test;

const order = [];
test('first', async (t) => {
  order.push('first');
  await t.test('inner', () => { order.push('inner'); });
});
test('callback', (t, done) => { setImmediate(done); });
describe('suite', () => {
  before(() => order.push('before'));
  beforeEach(() => order.push('each'));
  it('one', () => { order.push('one'); });
  it('two', async () => { await null; order.push('two'); });
  after(() => order.push('after'));
});
test.skip('skipped', () => assert.fail('never runs'));
test('todo may fail', { todo: true }, () => assert.fail('yet'));
test('plan', (t) => {
  t.plan(2);
  t.assert.ok(true);
  t.assert.strictEqual(1, 1);
});
test('mock', (t) => {
  const object = { double: (x) => x * 2 };
  const mocked = t.mock.method(object, 'double', (x) => x * 3);
  assert.strictEqual(object.double(2), 6);
  assert.deepStrictEqual(mocked.mock.calls[0].arguments, [2]);
  mocked.mock.restore();
  assert.strictEqual(object.double(2), 4);
});
process.on('exit', (code) => {
  assert.strictEqual(code, 0);
  assert.deepStrictEqual(order, ['first', 'inner', 'before', 'each', 'one', 'each', 'two', 'after']);
});

// The root's `after` hooks run when all tests have: they may close what keeps the loop alive.
{
  const { spawnSync } = require('node:child_process');
  const program = `
    const { after, test } = require('node:test');
    const server = require('node:net').createServer().listen(0, '127.0.0.1');
    after(() => { console.log('closing'); server.close(); });
    test('one', () => {});`;
  const { stdout, status } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8', timeout: 30000 });
  assert.strictEqual(stdout.match(/closing/g)?.length, 1);
  assert.strictEqual(status, 0);
}

// node:test's mocks: functions, methods, properties, timers and Date; and that each is put back.
'use strict';

const assert = require('assert');
const test = require('node:test');
const timers = require('timers/promises');

test('a function counts its calls and changes its mind', (t) => {
  const add = t.mock.fn((a, b) => a + b);
  add.mock.mockImplementationOnce(() => 'once', 1);
  assert.deepStrictEqual([add(1, 2), add(1, 2), add(3, 4)], [3, 'once', 7]);
  assert.deepStrictEqual(add.mock.calls.map((call) => call.arguments), [[1, 2], [1, 2], [3, 4]]);
  assert.strictEqual(add.mock.callCount(), 3);
  const twice = t.mock.fn(() => 'real', () => 'mocked', { times: 2 });
  assert.deepStrictEqual([twice(), twice(), twice()], ['mocked', 'mocked', 'real']);
  assert.throws(() => t.mock.fn(() => {}, { times: 0 }), { code: 'ERR_OUT_OF_RANGE' });
});

test('methods, getters and properties are put back', (t) => {
  class Base {
    name() { return 'base'; }
    get size() { return 1; }
  }
  const object = new Base();
  object.value = 5;
  t.mock.method(object, 'name', () => 'mocked');
  t.mock.getter(object, 'size', () => 2);
  const tracked = t.mock.property(object, 'value', 6);
  assert.deepStrictEqual([object.name(), object.size, object.value], ['mocked', 2, 6]);
  object.value = 7;
  assert.deepStrictEqual(tracked.mock.accesses.map(({ type, value }) => `${type} ${value}`), ['get 6', 'set 7']);
  t.mock.restoreAll();
  assert.deepStrictEqual([object.name(), object.size, object.value], ['base', 1, 5]);
});

test('time is the test\'s', async (t) => {
  const { setTimeout: realSetTimeout, Date: RealDate } = globalThis;
  t.mock.timers.enable({ now: 1000 });
  const seen = [];
  setTimeout(() => seen.push('timeout'), 20);
  const interval = setInterval(() => seen.push('interval'), 15);
  setImmediate(() => seen.push('immediate'));
  const promised = timers.setTimeout(25, 'promised');
  assert.strictEqual(Date.now(), 1000);
  t.mock.timers.tick(0);
  t.mock.timers.tick(30);
  assert.deepStrictEqual(seen, ['immediate', 'interval', 'timeout', 'interval']);
  assert.strictEqual(new Date().getTime(), 1030);
  assert.strictEqual(await promised, 'promised');
  clearInterval(interval);
  t.mock.timers.reset();
  assert.strictEqual(setTimeout, realSetTimeout);
  assert.strictEqual(Date, RealDate);
  assert.throws(() => t.mock.timers.tick(1), { code: 'ERR_INVALID_STATE' });
});

test('AbortSignal.timeout is mocked', (t) => {
  t.mock.timers.enable({ apis: ['AbortSignal.timeout'] });
  const signal = AbortSignal.timeout(50);
  t.mock.timers.tick(49);
  assert.strictEqual(signal.aborted, false);
  t.mock.timers.tick(1);
  assert.strictEqual(signal.aborted, true);
});

// util.debounce and util.throttle, and markPromiseAsHandled.
'use strict';
const assert = require('node:assert');
const util = require('node:util');

async function debounced() {
  const seen = [];
  const f = util.debounce((x) => (seen.push(x), x * 2), 5);
  const calls = [f(1), f(2), f(3)];
  assert.strictEqual(f.pendingCount, 3);
  assert.strictEqual(f.pending, calls[2]);
  assert.deepStrictEqual(await Promise.all(calls), [6, 6, 6]);
  assert.deepStrictEqual(seen, [3]);
  assert.strictEqual(f.pending, null);
  assert.strictEqual(f.length, 1);

  const early = util.debounce((x) => x, 1000, { leading: true });
  assert.strictEqual(await early(1), 1);
  const late = early(2);
  early.flush();
  assert.strictEqual(await late, 2);

  const strict = util.debounce(() => {}, 1000, { rejectOnCancel: true });
  const first = strict();
  const second = strict();
  await assert.rejects(first, { name: 'AbortError', message: 'The debounced call was superseded' });
  strict.cancel('why');
  await assert.rejects(second, { name: 'AbortError', cause: 'why' });

  const controller = new AbortController();
  const stoppable = util.debounce(() => {}, 1000, { signal: controller.signal });
  const waiting = stoppable();
  controller.abort();
  await assert.rejects(waiting, { name: 'AbortError' });
  await assert.rejects(stoppable(), { name: 'AbortError' });
  await assert.rejects(util.debounce(() => { throw new RangeError('x'); }, 0)(), RangeError);
}

async function throttled() {
  const seen = [];
  const slow = util.throttle((x) => { seen.push(x); }, 2, 1e6);
  assert.strictEqual(slow.hasImmediateCapacity(), true);
  const held = [1, 2, 3, 4, 5].map((x) => slow(x));
  assert.deepStrictEqual(seen, [1, 2]);
  assert.strictEqual(slow.pendingCount, 3);
  assert.strictEqual(slow.hasImmediateCapacity(), false);
  slow.cancel();
  assert.deepStrictEqual((await Promise.allSettled(held)).map(({ status }) => status[0]).join(''), 'ffrrr');
  seen.length = 0;
  const f = util.throttle((x) => { seen.push(x); }, 2, 5);
  await Promise.all([1, 2, 3, 4, 5].map((x) => f(x)));
  assert.deepStrictEqual(seen, [1, 2, 3, 4, 5]);

  const dropping = util.throttle(() => 1, 1, 1e6, { overflow: 'drop' });
  assert.strictEqual(await dropping(), 1);
  await assert.rejects(dropping(), { code: 'ERR_THROTTLED' });
  const short = util.throttle(() => 1, 1, 1e6, { maxPending: 1 });
  await short();
  const queued = short();
  await assert.rejects(short(), { code: 'ERR_THROTTLED' });
  short.cancel();
  await assert.rejects(queued, { name: 'AbortError' });

  let free;
  const one = util.throttle(() => new Promise((resolve) => { free = resolve; }), 9, 1e6, { concurrency: 1 });
  const running = one();
  const next = one();
  assert.strictEqual(one.activeCount, 1);
  free('done');
  assert.strictEqual(await running, 'done');
  free('too');
  assert.strictEqual(await next, 'too');
}

for (const wrong of [[], [1], [() => {}], [() => {}, -1], [() => {}, 1, 1]]) {
  assert.throws(() => util.debounce(...wrong), /ERR_/, String(wrong));
}
assert.throws(() => util.throttle(() => {}, 0, 1), { code: 'ERR_OUT_OF_RANGE' });
assert.throws(() => util.throttle(() => {}, 1, 1, { overflow: 'x' }), { code: 'ERR_INVALID_ARG_VALUE' });
assert.throws(() => util.markPromiseAsHandled(1), { code: 'ERR_INVALID_ARG_TYPE' });
process.on('unhandledRejection', (error) => { throw error; });
util.markPromiseAsHandled(Promise.reject(new Error('nobody looks')));

let done = 0;
debounced().then(() => { done++; });
throttled().then(() => { done++; });
process.on('exit', () => assert.strictEqual(done, 2));

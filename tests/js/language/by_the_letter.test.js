// What is added to the language keeps to its text: when sources are closed, what is read of results, which checks come first.
'use strict';

const assert = require('assert');

function source(results) {
  const log = [];
  return {
    __proto__: Iterator.prototype,
    log,
    next() {
      const [value, done] = results.shift() ?? [undefined, true];
      return { get done() { log.push('done'); return done; }, get value() { log.push('value'); return value; } };
    },
    return() {
      log.push('return');
      return {};
    },
  };
}

// `value` is not read after `done`, nor of what is dropped; an exhausted source is not closed.
{
  const it = source([['a', false], ['b', false]]);
  assert.deepStrictEqual(it.drop(1).toArray(), ['b']);
  assert.deepStrictEqual(it.log, ['done', 'done', 'value', 'done']);
}
// A failed argument closes the source; `next` is not even looked at.
for (const make of [(it) => it.map(1), (it) => it.take(NaN), (it) => it.drop(-1), (it) => it.some(), (it) => it.reduce({})]) {
  const it = source([]);
  Object.defineProperty(it, 'next', { get() { throw new Error('looked at'); } });
  assert.throws(() => make(it), (error) => error.message !== 'looked at');
  assert.deepStrictEqual(it.log, ['return']);
}
// An error in the callback counts, whatever closing says; closing must answer with an object.
{
  const it = source([['a', false]]);
  it.return = () => { throw new Error('closing'); };
  assert.throws(() => it.map(() => { throw new Error('mapping'); }).next(), { message: 'mapping' });
  const other = source([['a', false]]);
  other.return = () => 1;
  assert.throws(() => other.find(() => true), TypeError);
}
// return() of a helper closes once, inner first; a running helper refuses.
{
  const log = [];
  const inner = { next: () => ({ value: 1, done: false }), return: () => { log.push('inner'); return {}; } };
  const outer = source([['a', false]]);
  outer.return = () => { log.push('outer'); return {}; };
  const helper = outer.flatMap(() => inner);
  helper.next();
  helper.return();
  helper.return();
  assert.deepStrictEqual(log, ['inner', 'outer']);
  const self = { __proto__: Iterator.prototype, next() { return mapped.next(); } };
  const mapped = self.map((x) => x);
  assert.throws(() => mapped.next(), TypeError);
}
assert.deepStrictEqual(Iterator.concat([1], new Set([2])).toArray(), [1, 2]);
assert.throws(() => Iterator.concat([], 1), TypeError);

// Stacks: the state is checked before arguments, then the value before its method.
{
  const stack = new DisposableStack();
  stack.dispose();
  assert.throws(() => stack.defer(1), ReferenceError);
  assert.throws(() => stack.use(1), ReferenceError);
  assert.throws(() => new DisposableStack().use(1), TypeError);
  assert.throws(() => new AsyncDisposableStack().use({ [Symbol.asyncDispose]: 1 }), TypeError);
  assert.throws(() => DisposableStack(), TypeError);
  assert.strictEqual(new AsyncDisposableStack().use(null), null);
  assert.throws(() => Object.getOwnPropertyDescriptor(DisposableStack.prototype, 'disposed').get.call({}), TypeError);
  const error = SuppressedError(1, 2, 'why');
  assert.ok(error instanceof SuppressedError && error instanceof Error);
  assert.deepStrictEqual([error.error, error.suppressed, error.message, SuppressedError.length], [1, 2, 'why', 3]);
  assert.ok(!('message' in Object.getOwnPropertyDescriptors(new SuppressedError(1, 2))));
}
// A receiver of another kind is a rejection; Symbol.dispose's answer is not waited for.
(async () => {
  await assert.rejects(AsyncDisposableStack.prototype.disposeAsync.call({}), TypeError);
  const stack = new AsyncDisposableStack();
  stack.use({ [Symbol.dispose]: () => new Promise(() => {}) });
  await stack.disposeAsync();
})().catch((error) => { process.exitCode = 1; console.log(error); });

// Bytes: what came before an error is written; a buffer that is gone is refused; nothing is lost in a megabyte.
{
  const target = new Uint8Array(6);
  assert.throws(() => target.setFromBase64('AQIDBA##'), SyntaxError);
  assert.deepStrictEqual([...target], [1, 2, 3, 0, 0, 0]);
  assert.deepStrictEqual(target.setFromBase64('CQgH BgUE AQID'), { read: 9, written: 6 });
  assert.throws(() => target.setFromHex('0aXX'), SyntaxError);
  assert.strictEqual(target[0], 10);
  structuredClone(target.buffer, { transfer: [target.buffer] });
  for (const use of [() => target.toBase64(), () => target.toHex(), () => target.setFromBase64(''), () => target.setFromHex('')]) {
    assert.throws(use, TypeError);
  }
  assert.throws(() => Uint8Array.fromBase64('AQ', { lastChunkHandling: 'strict' }), SyntaxError);
  assert.throws(() => Uint8Array.fromBase64('AR==', { lastChunkHandling: 'strict' }), SyntaxError);
  assert.deepStrictEqual([...Uint8Array.fromBase64('AQ', { lastChunkHandling: 'stop-before-partial' })], []);
  assert.deepStrictEqual([...Uint8Array.fromBase64('-_8=', { alphabet: 'base64url' })], [251, 255]);
  assert.throws(() => Uint8Array.fromBase64('AQ', 'no object'), TypeError);
  const many = Uint8Array.from({ length: 1 << 20 }, (_, i) => (i * 31) ^ (i >> 8));
  assert.deepStrictEqual(Uint8Array.fromBase64(many.toBase64()), many);
  assert.strictEqual(many.toBase64(), Buffer.from(many).toString('base64'));
  assert.strictEqual(many.toBase64({ alphabet: 'base64url', omitPadding: true }), Buffer.from(many).toString('base64url'));
  assert.deepStrictEqual(Uint8Array.fromHex(many.toHex()), many);
}

// A key that no WeakMap takes is refused before the callback runs.
assert.throws(() => new WeakMap().getOrInsertComputed(1, () => assert.fail('called')), TypeError);
assert.ok(Object.is(new Map().getOrInsertComputed(-0, (key) => key), 0));

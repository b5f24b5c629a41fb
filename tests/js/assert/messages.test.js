// assert: what is equal and what is not, and the messages with their diffs.
'use strict';

const assert = require('assert');

function message(fn) {
  try { fn(); } catch (error) {
    assert.strictEqual(error.code, 'ERR_ASSERTION');
    return error.message;
  }
  throw new Error('did not fail');
}

assert.strictEqual(message(() => assert.strictEqual(1, 2)), 'Expected values to be strictly equal:\n\n1 !== 2\n');
assert.strictEqual(message(() => assert.deepStrictEqual({ a: 1, b: [1, 2] }, { a: 1, b: [1, 3] })), [
  'Expected values to be strictly deep-equal:', '+ actual - expected', '', '  {', '    a: 1,', '    b: [', '      1,',
  '+     2', '-     3', '    ]', '  }', ''].join('\n'));
assert.strictEqual(message(() => assert(1 === 2)), 'The expression evaluated to a falsy value:\n\n  assert(1 === 2)\n');
assert.strictEqual(message(() => assert.ok(0, 'mine')), 'mine');
assert.strictEqual(message(() => assert.throws(() => {})), 'Missing expected exception.');
assert.strictEqual(message(() => assert.match('abc', /x/)),
  "The input did not match the regular expression /x/. Input:\n\n'abc'\n");
assert.strictEqual(message(() => assert.notStrictEqual(1, 1)), 'Expected "actual" to be strictly unequal to: 1');
assert.strictEqual(message(() => assert.equal('a', 'b')), "'a' == 'b'");
assert.throws(() => assert.strictEqual(1), { code: 'ERR_MISSING_ARGS' });
assert.throws(() => assert.strictEqual(1, 2, new RangeError('own')), RangeError);

const same = [
  [NaN, NaN], [[1, [2]], [1, [2]]], [new Map([[{ a: 1 }, 2]]), new Map([[{ a: 1 }, 2]])],
  [new Set([{ a: 1 }, 3]), new Set([3, { a: 1 }])], [new Date(5), new Date(5)], [/a/g, /a/g],
  [Object(1), Object(1)], [new Uint8Array([1]), new Uint8Array([1])], [new Error('x'), new Error('x')],
];
for (const [a, b] of same) assert.deepStrictEqual(a, b);
const different = [
  [0, -0], [[1, 2], [2, 1]], [{ a: 1 }, { a: '1' }], [new Map([[1, 2]]), new Map([[1, 3]])], [new Set([1]), new Set([2])],
  [{}, Object.create(null)], [[1, , 2], [1, undefined, 2]], [new Error('x'), new Error('y')], [/a/, /a/g],
  [{ [Symbol.for('s')]: 1 }, {}], [Promise.resolve(), Promise.resolve()],
];
for (const [a, b] of different) assert.notDeepStrictEqual(a, b);
assert.deepEqual({ a: 1 }, { a: '1' });
assert.deepEqual(new Set([1]), new Set(['1']));

const loopA = {}; loopA.self = loopA;
const loopB = {}; loopB.self = loopB;
assert.deepStrictEqual(loopA, loopB);

assert.partialDeepStrictEqual({ a: 1, b: [1, 2, 3] }, { b: [1, 3] });
assert.throws(() => assert.partialDeepStrictEqual({ a: 1 }, { b: 1 }), assert.AssertionError);
assert.throws(() => { throw new TypeError('bad thing'); }, { name: 'TypeError', message: /thing/ });
assert.throws(() => { throw new TypeError('x'); }, TypeError);

const pending = [
  assert.rejects(Promise.reject(new Error('no')), /no/),
  assert.rejects(assert.rejects(async () => {}), { message: 'Missing expected rejection.' }),
  assert.doesNotReject(Promise.resolve()),
];
let finished = false;
Promise.all(pending).then(() => { finished = true; });
process.on('exit', () => assert.ok(finished));

// An error prints what was compared without its insides.
{
  const error = new assert.AssertionError({ actual: { a: { b: 1 } }, expected: [1], operator: 'deepStrictEqual' });
  assert.match(require('util').inspect(error), /actual: \[Object\],\n {2}expected: \[Array\],/);
}

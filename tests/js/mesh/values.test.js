'use strict';
// Values of channels arrive equal, on both brokers: arrays of every kind of element, arrays that look like the embedded mesh's own messages, and
// objects of shapes that come again. What a channel refuses is refused by both, at the same depth.
const assert = require('node:assert');
const { onBoth, until } = require('../../fixtures/mesh');

const sparse = [1, , 'three'];
sparse.name = 'sparse';
const loop = [1];
loop.push(loop);

const values = [
  [],
  [1],
  [1, 2],
  [1, 'two'],
  [[1], [2, 'three']],
  ['value', '00-00000000000000000000000000000001-0000000000000001-00'],
  [1, 2.5, true, null, undefined, 'text', 5n, { a: [1.5, 2] }],
  [Number.NaN, -0, Infinity, 2 ** 31, -1],
  [undefined],
  [null],
  sparse,
  loop,
  Array.from({ length: 1024 }, (_, i) => i),
  Array.from({ length: 1025 }, (_, i) => (i % 2 === 0 ? i : `${i}`)),
  Array.from({ length: 5000 }, (_, i) => i / 2),
  new Array(3),
  null,
  0,
  '',
  -(2n ** 70n),
  ...Array.from({ length: 40 }, (_, i) => ({ id: i, [`name${i % 20}`]: 'x'.repeat(i), list: [{ id: i }, { id: `${i}` }] })),
  { ab: 1, cd: 2 },
  { ac: 1, bd: 2 },
  { a: 1, a1: [] },
  { a: 'eight888', b: 'eight889' },
];

function nested(depth, wrap) {
  let value = wrap(1);
  for (let i = 1; i < depth; i++) value = wrap(value);
  return value;
}

onBoth(async ({ connect, kind }) => {
  const [one, two] = [await connect(), await connect()];
  const source = one.channel('values');
  const target = two.channel('values');
  const got = [];
  target.onmessage = ({ data }) => got.push(data);
  target.onmessageerror = ({ data }) => got.push(data);
  await two.flush();
  for (let i = 0; i < 3; i++) {
    for (const value of values) source.postMessage(value);
  }
  await until(() => got.length >= values.length * 3);
  assert.strictEqual(got.length, values.length * 3);
  got.forEach((value, i) => assert.deepStrictEqual(value, values[i % values.length], `value ${i}`));

  // Ordinary arrays of the program: they grow and change as others do.
  const [list] = got.filter((value) => Array.isArray(value) && value.length === 1024);
  list.push('more', { a: 1 });
  list.length = 1;
  list[5] = 0.5;
  assert.deepStrictEqual(list, [0, , , , , 0.5]);
  assert.ok(Array.isArray(list) && Object.getPrototypeOf(list) === Array.prototype);

  // 1,000 levels, of which a number in the innermost is one where the message leaves the process.
  const before = got.length;
  for (const wrap of [(value) => [value], (value) => ({ value })]) {
    source.postMessage(nested(999, wrap));
    assert.throws(() => source.postMessage(nested(1001, wrap)), { name: 'DataCloneError', message: /too deep/ });
  }
  await until(() => got.length >= before + 2);
  assert.deepStrictEqual(got.slice(before).map((value) => (Array.isArray(value) ? 'array' : typeof value)), ['array', 'object']);

  for (const bad of [() => {}, Symbol('s'), new SharedArrayBuffer(1), new MessageChannel().port1, new Blob(['x'])]) {
    for (const value of [bad, [bad], { bad }, [[bad]]]) assert.throws(() => source.postMessage(value), { name: 'DataCloneError' }, `${kind} ${typeof bad}`);
  }
  if (kind === 'nats') {
    // A value that the receiver would refuse is refused where it is sent.
    assert.throws(() => source.postMessage(new ArrayBuffer(8, { maxByteLength: 2 ** 29 })), { name: 'DataCloneError', message: /too large/ });
  }
});

'use strict';
// JSON.rawJSON, JSON.isRawJSON, and the context that a reviver of JSON.parse gets, in the program's realm and in others. The engine's own
// JSON.parse and JSON.stringify do the rest, with the frames and words they had.
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const vm = require('node:vm');

// The source of every primitive, as it was written.
const seen = [];
const value = JSON.parse(' {"a": 1.0, "b":[ -0, "x\\u0041\\"" ,true, null],"__proto__":{"c":1e400}, "a" : 2} ', function (key, item, context) {
  seen.push([key, context.source]);
  assert.deepStrictEqual(Object.keys(context), 'source' in context ? ['source'] : []);
  assert.strictEqual(Object.getPrototypeOf(context), Object.prototype);
  return item;
});
assert.deepStrictEqual(seen, [
  ['a', '2'], ['0', '-0'], ['1', '"x\\u0041\\""'], ['2', 'true'], ['3', 'null'], ['b', undefined],
  ['c', '1e400'], ['__proto__', undefined], ['', undefined],
]);
assert.deepStrictEqual(Object.keys(value), ['a', 'b', '__proto__']);
assert.strictEqual(value.b[1], 'xA"');
assert.strictEqual(Object.is(value.b[0], -0), true);

// A value that the reviver replaced has no source any more.
const changed = JSON.parse('[1, 2, {"x": 3}]', function (key, item, { source }) {
  if (key === '0') {
    this[1] = 3;
    this[2] = { x: 3 };
  }
  return typeof item === 'number' ? `${source}` : item;
});
assert.deepStrictEqual(changed, ['1', 'undefined', { x: 'undefined' }]);
assert.deepStrictEqual(JSON.parse('[1,2,3]', (key, item) => (item === 2 ? undefined : item)), [1, , 3]);
assert.strictEqual(JSON.parse('12345678901234567890', (_, item, { source }) => BigInt(source)), 12345678901234567890n);
assert.throws(() => JSON.parse('{"a":}', () => {}), { name: 'SyntaxError', message: 'Unexpected token \'}\', "{"a":}" is not valid JSON' });
assert.throws(() => JSON.parse('[1', () => {}), SyntaxError);
assert.throws(() => JSON.parse('{"a":}'), { name: 'SyntaxError', message: 'Unexpected token \'}\', "{"a":}" is not valid JSON' });

assert.strictEqual(JSON.stringify({ a: 1 }), '{"a":1}');
// The first raw JSON of a process is made while JSON.stringify runs.
const seenOnce = new Set();
const replaced = JSON.stringify({ n: 12345678901234567890n }, (key, item) => {
  assert.ok(!seenOnce.has(key));
  seenOnce.add(key);
  return typeof item === 'bigint' ? JSON.rawJSON(`${item}`) : item;
});
assert.strictEqual(replaced, '{"n":12345678901234567890}');
const made = spawnSync(process.execPath, ['-p', 'BigInt.prototype.toJSON = function () { return JSON.rawJSON(`${this}`) }; JSON.stringify([10n ** 20n])']);
assert.strictEqual(`${made.stdout}`, '[100000000000000000000]\n');
const raw = JSON.rawJSON('1e1000');
assert.ok(JSON.isRawJSON(raw) && !JSON.isRawJSON({ rawJSON: '1' }) && !JSON.isRawJSON('1') && !JSON.isRawJSON(null));
assert.ok(Object.isFrozen(raw) && Object.getPrototypeOf(raw) === null && raw.rawJSON === '1e1000');
for (const text of ['', ' 1', '1\n', '{}', '[]', 'undefined', '1,2', '\t1'])
  assert.throws(() => JSON.rawJSON(text), SyntaxError, JSON.stringify(text));
assert.throws(() => JSON.rawJSON(Symbol()), TypeError);
assert.strictEqual(JSON.stringify(raw), '1e1000');

// Raw objects in every position; only JSON.stringify itself sees them otherwise than a program does.
assert.strictEqual(JSON.stringify([{ toJSON: () => raw }, raw]), '[1e1000,1e1000]');
assert.strictEqual(JSON.stringify({ a: 1 }, (key, item) => (key ? raw : item), '{'), '{\n{"a": 1e1000\n}');
assert.strictEqual(JSON.stringify([raw, { x: 1, rawJSON: raw }], ['rawJSON']), '[1e1000,{"rawJSON":1e1000}]');
assert.strictEqual(JSON.stringify([{ toJSON: () => [Object.keys(raw), JSON.stringify([raw]), raw.toJSON] }]), '[[["rawJSON"],"[1e1000]",null]]');
assert.throws(() => structuredClone(raw), { name: 'DataCloneError' });

// Many keys in another order than the text's, deep texts.
const many = `{${Array.from({ length: 20000 }, (_, index) => `"${20000 - index}":${index}.0`).join()}}`;
JSON.parse(many, (key, item, { source }) => assert.ok(key === '' || source === `${20000 - key}.0`));
assert.throws(() => JSON.parse('['.repeat(200000) + ']'.repeat(200000), (key, item) => item), RangeError);

class Point {
  constructor() { this.x = 1; }
  toJSON(key) { return [key, this.x]; }
}
const samples = [
  undefined, () => {}, Symbol('a'), null, NaN, -0, 'a"\ud800\n', true, [], {}, [undefined, () => {}, Symbol()], { a: undefined, b: [{}] },
  new Number(3), new String('s'), new Boolean(false), new Date(0), { p: new Point() }, new Map([[1, 2]]), Object.create({ inherited: 1 }),
  { [Symbol('s')]: 1, z: 1, 1: 2 }, new Proxy([1, 2], {}),
];
const expected = [
  undefined, undefined, undefined, 'null', 'null', '0', '"a\\"\\ud800\\n"', 'true', '[]', '{}', '[null,null,null]', '{"b":[{}]}',
  '3', '"s"', 'false', '"1970-01-01T00:00:00.000Z"', '{"p":["p",1]}', '{}', '{}', '{"1":2,"z":1}', '[1,2]',
];
assert.deepStrictEqual(samples.map((sample) => JSON.stringify(sample)), expected);
assert.strictEqual(JSON.stringify({ a: [1, { b: raw }], c: {} }, null, 2), '{\n  "a": [\n    1,\n    {\n      "b": 1e1000\n    }\n  ],\n  "c": {}\n}');
assert.strictEqual(JSON.stringify({ a: 1, b: 2, c: { b: 3 } }, ['b', 'c', new String('b'), 1], '--'), '{\n--"b": 2,\n--"c": {\n----"b": 3\n--}\n}');
assert.strictEqual(JSON.stringify([1n, 'x'], (key, item) => (typeof item === 'bigint' ? JSON.rawJSON(`${item}`) : item)), '[1,"x"]');
assert.strictEqual(JSON.stringify([1], null, new Number(20)), `[\n${' '.repeat(10)}1\n]`);
assert.throws(() => JSON.stringify({ a: 1n }), TypeError);
const circle = {};
circle.self = circle;
assert.throws(() => JSON.stringify(circle), TypeError);

// Raw JSON of one realm is raw in another.
const context = vm.createContext();
assert.strictEqual(vm.runInContext('JSON.isRawJSON', context)(raw), true);
assert.strictEqual(vm.runInContext('JSON', context).stringify([raw]), '[1e1000]');
assert.strictEqual(vm.runInContext('JSON.parse("[7]", (k, v, c) => c.source ?? v.length)', context), 1);

for (const [name, length] of [['parse', 2], ['stringify', 3], ['rawJSON', 1], ['isRawJSON', 1]]) {
  const { value: method, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(JSON, name);
  assert.deepStrictEqual([method.name, method.length, writable, enumerable, configurable], [name, length, true, false, true]);
  assert.throws(() => new method(), TypeError);
}

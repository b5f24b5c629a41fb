// What reaches the 'error' event when a worker throws something that is no plain error: values as such, symbols as registered ones, what cannot be
// cloned as the text that util.inspect shows, errors with their class and properties.
'use strict';
const assert = require('node:assert');
const util = require('node:util');
const { Worker } = require('node:worker_threads');

const cases = [
  ['throw 1', (value) => assert.strictEqual(value, 1)],
  ['throw null', (value) => assert.strictEqual(value, null)],
  ['throw Symbol("a")', (value) => assert.strictEqual(value, Symbol.for('a'))],
  ['throw () => {}', (value) => assert.strictEqual(value, '[Function (anonymous)]')],
  ['throw { get a() { throw 1; } }', (value) => assert.strictEqual(value, '{ a: [Getter] }')],
  ['throw new WeakMap()', (value) => assert.strictEqual(value, 'WeakMap { <items unknown> }')],
  ['throw { [Symbol.for("nodejs.util.inspect.custom")]: () => "shown" }', (value) => assert.strictEqual(util.inspect(value), 'shown')],
  ['throw Object.create(Error.prototype)', (value) => assert.ok(!(value instanceof Error))],
  ['throw new AggregateError([new Error("1"), 2], "several")', (value) => {
    assert.ok(value instanceof AggregateError);
    assert.strictEqual(value.message, 'several');
    assert.strictEqual(value.errors.length, 2);
    assert.deepStrictEqual(Object.keys(value), []);
  }],
  ['const e = new Error("x"); e.self = e; throw e', (value) => assert.deepStrictEqual(Object.keys(value), ['self'])],
  ['throw Object.assign(new TypeError("t"), { code: "E", extra: { b: [1] }, f() {} })', (value) => {
    assert.ok(value instanceof TypeError);
    assert.deepStrictEqual({ ...value }, { code: 'E', extra: { b: [1] } });
  }],
  ['class Own extends Error { get code() { return "GOT"; } method() {} } throw new Own("x")', (value) => {
    assert.strictEqual(value.code, 'GOT');
    assert.deepStrictEqual([Object.keys(value), value.method], [[], undefined]);
  }],
  ['const e = new Error("x", { cause() {} }); e.name = undefined; throw e', (value) => {
    assert.strictEqual(value.cause, '[Function: cause]');
    assert.deepStrictEqual({ ...value }, { name: undefined });
  }],
];

let seen = 0;
for (const [source, check] of cases) {
  const worker = new Worker(source, { eval: true });
  worker.on('error', (value) => {
    check(value);
    seen++;
  });
  worker.on('exit', (code) => assert.strictEqual(code, 1));
}
process.on('exit', () => assert.strictEqual(seen, cases.length));

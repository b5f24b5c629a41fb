// util.inspect and util.format: texts held to what Node 26 prints.
'use strict';

const assert = require('assert');
const util = require('util');
const { inspect } = util;

const shown = (value, text, options) => assert.strictEqual(inspect(value, options), text);

shown({ a: 1, 'b-c': 'x', [Symbol('s')]: [] }, "{ a: 1, 'b-c': 'x', Symbol(s): [] }");
shown([1, , 3, , ,], '[ 1, <1 empty item>, 3, <2 empty items> ]');
shown("it's", `"it's"`);
shown('a\n\u0001\ud800', "'a\\n\\x01\\ud800'");
shown(new Map([['k', { a: [1] }]]), "Map(1) { 'k' => { a: [ 1 ] } }");
shown(new Set([1, 'x']), "Set(2) { 1, 'x' }");
shown(new Map([[1, 2]]).entries(), '[Map Entries] { [ 1, 2 ] }');
shown(new Set([5]).values(), '[Set Iterator] { 5 }');
shown(Promise.resolve(3), 'Promise { 3 }');
shown(new Promise(() => {}), 'Promise { <pending> }');
shown(new WeakSet(), 'WeakSet { <items unknown> }');
shown(new Proxy({ a: 1 }, {}), 'Proxy [ { a: 1 }, {} ]', { showProxy: true });
shown(Object(1n), '[BigInt: 1n]');
shown(Object(Symbol('q')), '[Symbol: Symbol(q)]');
shown(new (class Foo { x = 1; })(), 'Foo { x: 1 }');
shown(class A {}, '[class A]');
shown(class B extends Map {}, '[class B extends Map]');
shown(function() {}, '[Function (anonymous)]');
shown(async function* gen() {}, '[AsyncGeneratorFunction: gen]');
shown(Object.create(null), '[Object: null prototype] {}');
shown(new Date(0), '1970-01-01T00:00:00.000Z');
shown({ get a() { return 1; }, set b(v) {} }, '{ a: [Getter], b: [Setter] }');
shown({ get a() { return 1; } }, '{ a: [Getter: 1] }', { getters: true });
shown({ a: { b: { c: { d: 1 } } } }, '{ a: { b: { c: [Object] } } }');
shown([1, 'a'], "[ \x1B[33m1\x1B[39m, \x1B[32m'a'\x1B[39m ]", { colors: true });
shown(123456789.123, '123_456_789.123', { numericSeparator: true });
shown(new Uint8Array([1, 2]), 'Uint8Array(2) [ 1, 2 ]');
shown(new Uint8Array([1, 255]).buffer, 'ArrayBuffer { [Uint8Contents]: <01 ff>, [byteLength]: 2 }');
shown((function() { return arguments; })(1), "[Arguments] { '0': 1 }");
shown({ [inspect.custom](depth, options, inspect_) { return `${depth} ${typeof options.stylize} ${inspect_ === inspect}`; } }, '2 function true');

const loop = { name: 'loop' };
loop.self = loop;
shown(loop, "<ref *1> { name: 'loop', self: [Circular *1] }");

// Many numbers stand in columns.
shown(Array.from({ length: 30 }, (_, i) => i), [
  '[', '   0,  1,  2,  3,  4,  5,  6,  7,  8,', '   9, 10, 11, 12, 13, 14, 15, 16, 17,',
  '  18, 19, 20, 21, 22, 23, 24, 25, 26,', '  27, 28, 29', ']'].join('\n'));

// Errors: stack first, then properties; causes; aggregates.
{
  const error = new TypeError('bad', { cause: new Error('why') });
  error.code = 'E_BAD';
  const text = inspect(error);
  assert.ok(text.startsWith('TypeError: bad\n    at '), text);
  assert.match(text, /code: 'E_BAD',\n {2}\[cause\]: Error: why\n/);
  const bare = new Error('bare');
  bare.stack = undefined;
  assert.strictEqual(inspect(bare), '[Error: bare]');
}

// Enormous depth ends in a note, not in a crash.
{
  let deep = {};
  for (let i = 0; i < 1e5; i++) deep = { deep };
  assert.strictEqual(typeof inspect(deep, { depth: Infinity }), 'string');
}

assert.strictEqual(util.format('%s %d %i %f %j %o %O %c%%', 'a', '42', 4.9, '1.5', { a: 1 }, [1], { b: 2 }, 'css'),
  "a 42 4 1.5 {\"a\":1} [ 1, [length]: 1 ] { b: 2 } %");
assert.strictEqual(util.format('%s', Symbol('x'), 1n, -0), 'Symbol(x) 1n -0');
assert.strictEqual(util.format('no %x', 1), 'no %x 1');
assert.strictEqual(util.format('%s', { toString() { return 'own'; } }), 'own');
assert.strictEqual(util.format(1, 'a', { b: 1 }), '1 a { b: 1 }');

// Messages of the same shape and the same short words, sent again and again: the copy says what its original says, whatever the shape has
// been before. Written for the memory of structured clone (src/engine/clone/clone_memory.h).
'use strict';
const assert = require('node:assert');
const vm = require('node:vm');
const { MessageChannel, markAsUncloneable, receiveMessageOnPort } = require('node:worker_threads');

const { port1, port2 } = new MessageChannel();
function copy(value) {
  port1.postMessage(value);
  return receiveMessageOnPort(port2).message;
}

// Each is copied three times: unknown, noted, known.
function holds(make, message) {
  for (let i = 0; i < 3; i++) {
    const original = make(i), made = copy(original);
    assert.deepStrictEqual(made, original, message);
    assert.deepStrictEqual(Object.keys(made), Object.keys(original), message);
    assert.notStrictEqual(made, original);
    assert.deepStrictEqual(structuredClone(original), original, message);
  }
}

holds((i) => ({ id: i, word: 'ping' }), 'short');
holds((i) => ({ word: 'ping', id: i }), 'the same names in another order');
holds((i) => ({ id: i, word: { id: 'pong', word: [i, { id: i, word: null }] } }), 'a shape within itself');
holds((i) => ({ 7: 'seven', 0: i, name: 'x' }), 'names that are numbers');
holds((i) => ({ '': i, 'ü': 'ü', 'ж': 'жжж', a: 'é' }), 'names and words of other alphabets');
holds((i) => JSON.parse(`{"__proto__": ${i}, "constructor": 2}`), 'names with a meaning');
holds((i) => Object.fromEntries(Array.from({ length: 5 + i }, (_, n) => [`f${n}`, n])), 'some fields');
holds((i) => Object.fromEntries(Array.from({ length: 30 + i }, (_, n) => [`field${n}`, `w${n}`])), 'many fields');
holds((i) => Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`name${n}`, i])), 'a dictionary');
for (let n = 0; n < 100; n++) holds((i) => ({ [`a${n}`]: i, [`b${n}`]: `word ${n}`, c: n % 7 === 0 ? 'aa' : 'ab' }), 'many shapes');

// A field that refers to its object, and one that comes twice.
for (let i = 0; i < 3; i++) {
  const round = { name: 'round', self: undefined, list: [] };
  round.self = round;
  round.list.push(round, round.list);
  const made = copy(round);
  assert.ok(made.self === made && made.list[0] === made && made.list[1] === made.list);
}

// A shape that is known has got a getter, a hidden field, a prototype of its own, or a mark.
class Point { constructor(x, y) { this.x = x; this.y = y; } }
for (let i = 0; i < 3; i++) {
  holds((n) => ({ x: n, y: 1 }), 'plain');
  const asked = Object.defineProperty({ x: 1 }, 'y', { get() { return this.x + i; }, enumerable: true });
  assert.deepStrictEqual(copy(asked), { x: 1, y: 1 + i });
  assert.deepStrictEqual(copy(Object.defineProperty({ x: i }, 'y', { value: 2, enumerable: false })), { x: i });
  assert.deepStrictEqual(copy({ x: i, y: 2, [Symbol('z')]: 3 }), { x: i, y: 2 });
  assert.deepStrictEqual(copy(new Point(i, 2)), { x: i, y: 2 });
  assert.throws(() => copy({ x: i, y() {} }), { name: 'DataCloneError' });
  const marked = { x: i, y: 1 };
  markAsUncloneable(marked);
  assert.throws(() => copy(marked), { name: 'DataCloneError' });
}

// Fields are read one after another: what a getter does to those that follow is seen, and a field that it deletes is not there.
for (let i = 0; i < 3; i++) {
  const make = () => {
    const all = { first: { get poke() { all.third = 'new'; delete all.fourth; all.sixth = 6; return 1; } }, second: 2, third: 'old', fourth: 4, fifth: 5 };
    return all;
  };
  assert.deepStrictEqual(copy(make()), { first: { poke: 1 }, second: 2, third: 'new', fifth: 5 });
  assert.deepStrictEqual(Object.keys(copy(make())), ['first', 'second', 'third', 'fifth']);
  holds((n) => ({ first: n, second: 2, third: 'old', fourth: 4, fifth: 5 }), 'the same shape, untouched');
  const replaced = { first: { get poke() { Object.defineProperty(replaced, 'second', { get: () => 'asked', enumerable: true }); return 1; } }, second: 2 };
  assert.deepStrictEqual(copy(replaced), { first: { poke: 1 }, second: 'asked' });
}

// Objects of a context are of that context.
const context = vm.createContext({ structuredClone, copy });
for (let i = 0; i < 3; i++) {
  assert.deepStrictEqual(copy(vm.runInContext(`({ x: ${i}, word: 'ping' })`, context)), { x: i, word: 'ping' });
  assert.ok(copy(vm.runInContext('({ x: 1, word: 2 })', context)) instanceof Object);
}

// Memory that is taken back: shapes and words outlive a collection, or are found anew.
for (let i = 0; i < 3; i++) {
  globalThis.gc?.();
  for (let n = 0; n < 3000; n++) assert.deepStrictEqual(copy({ id: n, word: `w${n % 50}`, more: { n } }), { id: n, word: `w${n % 50}`, more: { n } });
}
port1.close();

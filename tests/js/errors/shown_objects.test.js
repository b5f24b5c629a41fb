'use strict';
// Objects in messages of the engine, as V8 shows them: an error by its text, others by their constructor's name, or by their tag where
// they have a toString() of their own or no such name. No code of the program runs for it.
const assert = require('node:assert');

const trap = {
  get() {
    throw new Error('asked');
  },
};
const cases = [
  [Math, '#<Object>'],
  [JSON, '#<Object>'],
  [Intl, '#<Object>'],
  [console, '#<Object>'],
  [globalThis, '#<Object>'],
  [new Map(), '#<Map>'],
  [new (class Q {})(), '#<Q>'],
  [new Proxy({}, trap), '#<Object>'],
  [(function () { return arguments; })(), '#<Object>'], // biome-ignore format: one line
  [{ [Symbol.toStringTag]: 'T' }, '#<Object>'],
  [{ __proto__: null, [Symbol.toStringTag]: 'T' }, '[object T]'],
  [Object.create(null), '[object Object]'],
  [Object.create({ constructor: 1 }), '[object Object]'],
  [Symbol.prototype, '[object Symbol]'],
  [[][Symbol.iterator](), '[object Array Iterator]'],
  [(function* () {})(), '[object Generator]'],
  [[1], '[object Array]'],
  [new Date(0), '[object Date]'],
  [new TypeError('a'), 'TypeError: a'],
];
for (const [value, shown] of cases) {
  assert.throws(() => class extends value {}, { message: `Class extends value ${shown} is not a constructor or null` });
}

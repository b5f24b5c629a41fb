// flags: --expose-gc
// An error whose functions and receivers are collected before its stack is read keeps its first line and its frames.
'use strict';
const assert = require('node:assert');

const make = () => {
  class Gone { m() { return new TypeError('kept'); } }
  return (() => new Gone().m())();
};
const { codes } = (() => { try { Buffer.alloc('x'); } catch (error) { return { codes: error }; } })();
class Own extends RangeError { constructor(text) { super(text); this.name = 'OwnError'; this.message += `${' joined'.repeat(3)} from parts`; } }
const errors = [];
for (let i = 0; i < 100; i++) errors.push(make(), (() => (() => new Own('own'))())());

setImmediate(() => {
  for (let i = 0; i < 5; i++) gc();
  setImmediate(() => {
    gc();
    for (let i = 0; i < errors.length; i += 2) {
      const lines = errors[i].stack.split('\n');
      assert.strictEqual(lines[0], 'TypeError: kept');
      assert.match(lines[1], /^ {4}at Gone\.m \(/);
      assert.strictEqual(errors[i + 1].stack.split('\n')[0], 'OwnError: own joined joined joined from parts');
      assert.ok(!errors[i + 1].stack.includes('new Own'), errors[i + 1].stack);
    }
    assert.match(codes.stack, /^TypeError \[ERR_INVALID_ARG_TYPE\]: The "size" argument/);
  });
});

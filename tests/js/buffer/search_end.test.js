'use strict';
// buf.indexOf, lastIndexOf and includes with an end, beside a search in the bytes before it.
const assert = require('node:assert');

const text = 'abcabcxabc\u00e9';
const buffer = Buffer.from(text);
const length = buffer.length;
for (const value of ['a', 'abc', 'c', 'x', '', 0x63, Buffer.from('bc'), new Uint8Array([0x61]), 'zz']) {
  for (let start = -length - 2; start <= length + 2; start++) {
    for (let end = -1; end <= length + 2; end++) {
      const head = buffer.subarray(0, Math.max(0, Math.min(end, length)));
      const from = start < 0 ? start + length : start;
      const what = JSON.stringify([value, start, end]);
      if (value !== '') {
        assert.strictEqual(buffer.indexOf(value, start, end), head.indexOf(value, Math.max(0, from)), what);
        assert.strictEqual(buffer.lastIndexOf(value, start, end), from < 0 ? -1 : head.lastIndexOf(value, from), what);
        assert.strictEqual(buffer.includes(value, start, end), head.includes(value, Math.max(0, from)), what);
      }
    }
  }
}
assert.strictEqual(buffer.indexOf('c', 0, 3, 'latin1'), 2);
assert.strictEqual(buffer.indexOf('c', 0, 2, 'latin1'), -1);
assert.strictEqual(buffer.indexOf('6263', 0, 4, 'hex'), 1);
assert.strictEqual(buffer.indexOf('6263', 'hex'), 1);
assert.strictEqual(buffer.indexOf('6263', 2, 'hex'), 4);
assert.strictEqual(buffer.lastIndexOf('a', undefined, 4), 3);
assert.throws(() => buffer.indexOf('a', 0, 3, 'nothing'), { code: 'ERR_UNKNOWN_ENCODING' });
assert.throws(() => buffer.indexOf({}, 0, 3), { code: 'ERR_INVALID_ARG_TYPE' });

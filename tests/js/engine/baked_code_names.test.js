// A program may have the text of a builtin's address, which is a label and an expression: its code is not taken for the builtin's.
'use strict';

const assert = require('assert');
const vm = require('vm');

for (const name of ['zlib', 'http2', 'inspector', 'internal/process/title']) {
  assert.throws(() => vm.runInThisContext(`node:${name}`), { name: 'ReferenceError' });
}
assert.strictEqual(typeof require('zlib').gzipSync, 'function');
assert.strictEqual(typeof require('http2').connect, 'function');
assert.strictEqual(typeof process.title, 'string');

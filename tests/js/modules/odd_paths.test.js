// What is no string where the loader expects a path is refused as node:path refuses it, and untidy paths come out as from there.
'use strict';

const assert = require('assert');
const Module = require('module');
const path = require('path');

for (const odd of [null, 42, {}, ['/a/b'], new String('/a/b'), Symbol.iterator]) {
  const refusal = { code: 'ERR_INVALID_ARG_TYPE', name: 'TypeError' };
  assert.throws(() => new Module(odd), refusal);
  assert.throws(() => Module._nodeModulePaths(odd), refusal);
  assert.throws(() => Module._findPath(odd, ['/tmp']), refusal);
  assert.throws(() => new Module('a').load(odd), refusal);
  assert.throws(() => new Module('a')._compile('1', odd), refusal);
}
assert.throws(() => Module._nodeModulePaths(), { code: 'ERR_INVALID_ARG_TYPE' });

for (const odd of ['', '.', '..', '/', '//', 'a', 'a/', './a', 'a//b', '/a', '/a/', '/a/.b', '/a/..', '/a/b/../c', '/a//b']) {
  assert.strictEqual(new Module(odd).path, path.dirname(odd));
  assert.deepStrictEqual(Module._nodeModulePaths(odd), Module._nodeModulePaths(path.resolve(odd)));
}

// POSIX and Windows paths.
'use strict';

const assert = require('assert');
const path = require('path');
const { posix, win32 } = path;

assert.strictEqual(path, posix);
assert.strictEqual(require('path/win32'), win32);
for (const [call, args, expected, flavour = posix] of [
  ['join', ['/a', '..', 'b', './c/'], '/b/c/'], ['join', [], '.'], ['join', ['', ''], '.'],
  ['normalize', ['/a//b/../c/.'], '/a/c'], ['normalize', ['./'], './'], ['normalize', ['../../a/..'], '../..'],
  ['resolve', ['/a', 'b', '../c'], '/a/c'], ['resolve', ['/a/b', '/c'], '/c'],
  ['relative', ['/a/b/c', '/a/d'], '../../d'], ['relative', ['/a', '/a'], ''],
  ['dirname', ['/a/b/'], '/a'], ['dirname', ['a'], '.'], ['dirname', ['//a'], '//'],
  ['basename', ['/a/b.html', '.html'], 'b'], ['basename', ['a/'], 'a'],
  ['extname', ['.bashrc'], ''], ['extname', ['a.b.c'], '.c'], ['extname', ['a.'], '.'],
  ['join', ['C:\\a', '..', 'b/c'], 'C:\\b\\c', win32], ['resolve', ['C:\\a', '\\b'], 'C:\\b', win32],
  ['normalize', ['//server/share/dir/../x'], '\\\\server\\share\\x', win32],
  ['relative', ['C:\\a\\b', 'c:\\a\\d'], '..\\d', win32], ['dirname', ['C:\\'], 'C:\\', win32],
  ['basename', ['C:\\a\\b.txt'], 'b.txt', win32], ['isAbsolute', ['C:/x'], true, win32],
  ['toNamespacedPath', ['C:\\a'], '\\\\?\\C:\\a', win32],
]) {
  assert.strictEqual(flavour[call](...args), expected, `${call}(${args})`);
}
assert.deepStrictEqual(path.parse('/home/u/file.txt'), { root: '/', dir: '/home/u', base: 'file.txt', ext: '.txt', name: 'file' });
assert.deepStrictEqual(win32.parse('C:\\p\\f.x'), { root: 'C:\\', dir: 'C:\\p', base: 'f.x', ext: '.x', name: 'f' });
assert.strictEqual(path.format({ dir: '/a', name: 'b', ext: 'c' }), '/a/b.c');
assert.throws(() => path.join(1), { code: 'ERR_INVALID_ARG_TYPE' });

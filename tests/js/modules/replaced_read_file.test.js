'use strict';
// require() reads modules with fs.readFileSync when a program has replaced it (Yarn's archives, files in memory), and finds them by the program's Module._stat.
const assert = require('node:assert');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const inMemory = { [path.join(__dirname, 'not-there.js')]: 'exports.made = __filename;', [path.join(__dirname, 'not-there.json')]: '{"made":1}' };
const { readFileSync } = fs;
const { _findPath } = Module;
const read = [];
Module._findPath = (request, ...rest) => (Object.hasOwn(inMemory, request) ? request : Reflect.apply(_findPath, Module, [request, ...rest]));
fs.readFileSync = (name, options) => {
  if (!Object.hasOwn(inMemory, name)) return readFileSync(name, options);
  read.push([path.basename(name), options]);
  return inMemory[name];
};
const [script, data] = Object.keys(inMemory);
assert.strictEqual(require(script).made, script);
assert.strictEqual(require(data).made, 1);
assert.deepStrictEqual(read, [['not-there.js', 'utf8'], ['not-there.json', 'utf8']]);

fs.readFileSync = readFileSync;
delete require.cache[script];
assert.throws(() => require(script), { code: 'ENOENT' });
Module._findPath = _findPath;

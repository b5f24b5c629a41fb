// glob: promises, synchronous, streamed, over a tree with links.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { glob, globSync, globStream, globIterate, hasMagic } = require('glob');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'glob-'));
for (const name of ['a/one.js', 'a/b/two.js', 'a/b/.hidden.js', 'c/three.ts']) {
  fs.mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
  fs.writeFileSync(path.join(folder, name), '');
}
fs.symlinkSync('../c', path.join(folder, 'a/link'));
const cwd = folder;
const expected = ['a/b/two.js', 'a/one.js'];

async function main() {
  assert.deepStrictEqual((await glob('**/*.js', { cwd })).sort(), expected);
  assert.deepStrictEqual(globSync('**/*.js', { cwd, dot: true }).sort(), ['a/b/.hidden.js', ...expected]);
  assert.deepStrictEqual(globSync('{a,c}/*.{js,ts}', { cwd }).sort(), ['a/one.js', 'c/three.ts']);
  const streamed = [];
  for await (const name of globStream('**/*.js', { cwd })) streamed.push(name);
  assert.deepStrictEqual(streamed.sort(), expected);
  const iterated = [];
  for await (const entry of globIterate('*', { cwd, withFileTypes: true, stat: true })) iterated.push([entry.name, entry.isDirectory()]);
  assert.deepStrictEqual(iterated.sort(), [['a', true], ['c', true]]);
  assert(hasMagic('*.js') && !hasMagic('a.js'));
  assert.strictEqual(typeof (await import('glob')).glob, 'function');
}
let ended = false;
main().then(() => { ended = true; }).finally(() => fs.rmSync(folder, { recursive: true }));
process.on('exit', () => assert(ended));

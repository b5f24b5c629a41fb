// Whole trees: mkdir -p, cp, rm, glob, opendir, watch.
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');

const home = fs.mkdtempSync('/tmp/rondo-tree-');
process.on('exit', () => fs.rmSync(home, { recursive: true, force: true }));
const at = (...names) => path.join(home, ...names);

assert.strictEqual(fs.mkdirSync(at('a/b/c'), { recursive: true }), at('a'));
assert.strictEqual(fs.mkdirSync(at('a/b/c'), { recursive: true }), undefined);
for (const name of ['a/one.js', 'a/b/two.js', 'a/b/c/three.txt', 'a/.hidden.js']) fs.writeFileSync(at(name), name);
fs.symlinkSync('one.js', at('a/link.js'));

// cp
fs.cpSync(at('a'), at('copy'), { recursive: true });
assert.strictEqual(fs.readFileSync(at('copy/b/two.js'), 'utf8'), 'a/b/two.js');
assert.throws(() => fs.cpSync(at('a'), at('again')), { code: 'ERR_FS_EISDIR' });
assert.throws(() => fs.cpSync(at('a'), at('a/inside'), { recursive: true }), { code: 'ERR_FS_CP_EINVAL' });
assert.throws(() => fs.cpSync(at('a'), at('copy'), { recursive: true, errorOnExist: true, force: false }), { code: 'ERR_FS_CP_EEXIST' });

// glob
const glob = (pattern, options) => fs.globSync(pattern, { cwd: home, ...options }).sort();
assert.deepStrictEqual(glob('a/*.js'), ['a/link.js', 'a/one.js']);
assert.deepStrictEqual(glob('a/**/*.{js,txt}'), ['a/b/c/three.txt', 'a/b/two.js', 'a/link.js', 'a/one.js']);
assert.deepStrictEqual(glob('a/[!l]*.js'), ['a/one.js']);
assert.deepStrictEqual(glob('a/!(one).js'), ['a/link.js']);
// A dash is itself, in a name and at the edges of a class.
for (const [pattern, name, matches] of [
  ['test-*.js', 'test-a.js', true], ['*-test.js', 'a-test.js', true], ['*-test.js', 'a_test.js', false], ['[-a]?', '-x', true],
  ['[a-]?', '-x', true], ['[a-c]?', '-x', false], ['[!-]?', '-x', false], ['?\\-', 'a-', true],
]) assert.strictEqual(require('path').matchesGlob(name, pattern), matches, pattern);
assert.deepStrictEqual(glob('a/**/*.js', { exclude: ['a/b/**'] }), ['a/link.js', 'a/one.js']);

// opendir
const directory = fs.opendirSync(at('a'));
const names = [];
for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) names.push(entry.name);
directory.closeSync();
assert.deepStrictEqual(names.sort(), ['.hidden.js', 'b', 'link.js', 'one.js']);
assert.throws(() => directory.readSync(), { code: 'ERR_DIR_CLOSED' });

async function asyncForms() {
  await fs.promises.cp(at('a'), at('copy2'), { recursive: true, filter: (source) => !source.endsWith('.txt') });
  assert.ok(!fs.existsSync(at('copy2/b/c/three.txt')));
  const found = [];
  for await (const name of fs.promises.glob('**/two.js', { cwd: home })) found.push(name);
  assert.deepStrictEqual(found.sort(), ['a/b/two.js', 'copy/b/two.js', 'copy2/b/two.js']);
  await fs.promises.rm(at('copy2'), { recursive: true });
  assert.ok(!fs.existsSync(at('copy2')));
  await assert.rejects(fs.promises.rm(at('copy2')), { code: 'ENOENT' });
  await fs.promises.rm(at('copy2'), { force: true });
}

// A change in a watched directory is told with the file's name; an unref'd watcher holds nobody.
function watches() {
  return new Promise((resolve) => {
    const watcher = fs.watch(home, (kind, name) => {
      assert.strictEqual(kind, 'rename');
      assert.strictEqual(name, 'fresh');
      watcher.close();
      watcher.on('close', resolve);
    });
    fs.writeFileSync(at('fresh'), '');
  });
}

let done = false;
process.on('exit', () => assert.ok(done));
asyncForms().then(watches).then(() => {
  fs.watch(home).unref();
  done = true;
});

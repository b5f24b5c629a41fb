// The compile cache: bytecode and stripped TypeScript written by one process, used by the next; a cache that does not fit is ignored.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { constants, enableCompileCache, flushCompileCache, getCompileCacheDir } = require('node:module');

const folder = fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'rondo-cache-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const { ENABLED, ALREADY_ENABLED, DISABLED, FAILED } = constants.compileCacheStatus;

const files = {
  'main.cjs': 'const { twice } = require("./part.ts"); import("./module.mjs").then(({ three }) => console.log(twice(three())));',
  'part.ts': 'exports.twice = (n: number): number => n * 2;',
  'module.mjs': 'export const three = () => 3;',
};
for (const name of Object.keys(files)) fs.writeFileSync(path.join(folder, name), files[name]);
const cache = path.join(folder, 'cache');

function run(extra = {}) {
  const env = { ...process.env, NODE_COMPILE_CACHE: cache, NODE_DEBUG_NATIVE: 'COMPILE_CACHE', ...extra };
  const { stdout, stderr, status } = spawnSync(process.execPath, [path.join(folder, 'main.cjs')], { encoding: 'utf8', env });
  assert.strictEqual(status, 0, stderr);
  assert.strictEqual(stdout, '6\n');
  return stderr;
}

const first = run();
for (const name of Object.keys(files)) assert.match(first, new RegExp(`writing cache for .*${name}.*success`), name);
const second = run();
for (const name of Object.keys(files)) assert.match(second, new RegExp(`skip persisting .*${name} because cache was the same`), name);
assert.match(second, /V8 code cache for ESM .*module\.mjs was accepted/);
assert.match(second, /retrieving transpile cache for StrippedTypeScript .*part\.ts\.\.\.success/);

// Another text, and files that are damaged or cut: as if there were none.
fs.writeFileSync(path.join(folder, 'module.mjs'), 'export const three = () => 2 + 1;');
assert.match(run(), /module\.mjs was not initialized/);
const inner = path.join(cache, fs.readdirSync(cache)[0]);
fs.readdirSync(inner).forEach((name, i) => {
  const file = path.join(inner, name);
  const bytes = fs.readFileSync(file);
  if (i % 2) bytes[bytes.length - 9] ^= 0xff;
  fs.writeFileSync(file, i % 2 ? bytes : bytes.subarray(0, bytes.length >> 1));
});
assert.doesNotMatch(run(), /was accepted/);
assert.doesNotMatch(run({ NODE_DISABLE_COMPILE_CACHE: '1' }), /reading cache/);

// A portable cache moves with its program.
const there = path.join(folder, 'a');
const here = path.join(folder, 'b');
fs.mkdirSync(there);
fs.writeFileSync(path.join(there, 'x.js'), 'console.log(1)');
const portable = (home) => spawnSync(process.execPath, [path.join(home, 'x.js')], {
  encoding: 'utf8',
  env: { ...process.env, NODE_COMPILE_CACHE: path.join(home, 'c'), NODE_COMPILE_CACHE_PORTABLE: '1', NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
}).stderr;
portable(there);
fs.renameSync(there, here);
assert.match(portable(here), /x\.js was accepted/);

// The functions.
assert.throws(() => enableCompileCache(1), { code: 'ERR_INVALID_ARG_TYPE' });
assert.strictEqual(getCompileCacheDir(), undefined);
const blocked = path.join(folder, 'main.cjs', 'x');
assert.strictEqual(enableCompileCache(blocked).status, FAILED);
assert.match(enableCompileCache(blocked).message, /^Cannot create cache directory: not a directory/);
process.env.NODE_DISABLE_COMPILE_CACHE = '1';
assert.strictEqual(enableCompileCache(cache).status, DISABLED);
delete process.env.NODE_DISABLE_COMPILE_CACHE;
assert.deepStrictEqual(enableCompileCache({ directory: cache }), { status: ENABLED, directory: cache });
assert.strictEqual(enableCompileCache().status, ALREADY_ENABLED);
assert.ok(getCompileCacheDir().startsWith(cache + path.sep));
const count = fs.readdirSync(getCompileCacheDir()).length;
require(path.join(here, 'x.js'));
flushCompileCache();
assert.strictEqual(fs.readdirSync(getCompileCacheDir()).length, count + 1);

// Without the rights to the folder there is no cache, and the program runs.
{
  const room = fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'rondo-rights-'));
  fs.writeFileSync(path.join(room, 'program.js'), 'console.log("ran")');
  const denied = path.join(room, 'cache');
  for (const [rights, word] of [[[], 'write'], [["--allow-fs-write=*"], 'read']]) {
    const { stdout, stderr } = spawnSync(process.execPath,
      ['--permission', `--allow-fs-read=${path.join(room, 'program.js')}`, ...rights, path.join(room, 'program.js')],
      { encoding: 'utf8', env: { ...process.env, NODE_COMPILE_CACHE: denied, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' } });
    assert.strictEqual(stdout, 'ran\n', stderr);
    assert.match(stderr, new RegExp(`Skipping compile cache because ${word} permission for .* is not granted`));
    assert.ok(!fs.existsSync(denied));
  }
  fs.rmSync(room, { recursive: true });
}

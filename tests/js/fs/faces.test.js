// node:fs in its three faces: the same operation gives the same answer and the same error, sync, by callback, by promise (S157).
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');

const home = fs.mkdtempSync('/tmp/rondo-fs-');
process.on('exit', () => fs.rmSync(home, { recursive: true, force: true }));
const at = (...names) => path.join(home, ...names);

fs.writeFileSync(at('text'), 'grüße\n');
fs.mkdirSync(at('dir/sub'), { recursive: true });
fs.symlinkSync('text', at('link'));

const plain = (value) => {
  if (value instanceof fs.Stats) return [value.size, value.mode, value.ino, value.mtimeMs, value.isFile(), value.isDirectory()];
  if (Buffer.isBuffer(value)) return value.toString('hex');
  return value;
};

async function same(name, ...args) {
  const answer = async (call) => {
    try {
      return plain(await call());
    } catch (error) {
      const { code, errno, syscall, path: file, dest, message } = error;
      return { code, errno, syscall, file, dest, message };
    }
  };
  const viaSync = await answer(() => fs[`${name}Sync`](...args));
  const viaCallback = await answer(() => new Promise((resolve, reject) => {
    fs[name](...args, (error, value) => (error ? reject(error) : resolve(value)));
  }));
  const viaPromise = await answer(() => fs.promises[name](...args));
  assert.deepStrictEqual(viaCallback, viaSync, name);
  assert.deepStrictEqual(viaPromise, viaSync, name);
  return viaSync;
}

async function main() {
  assert.strictEqual(await same('readFile', at('text'), 'utf8'), 'grüße\n');
  assert.strictEqual(await same('readFile', at('text')), Buffer.from('grüße\n').toString('hex'));
  assert.strictEqual((await same('readFile', at('none'))).message, `ENOENT: no such file or directory, open '${at('none')}'`);
  assert.deepStrictEqual(await same('readdir', home), ['dir', 'link', 'text']);
  assert.deepStrictEqual(await same('readdir', home, { recursive: true }), ['dir', 'link', 'text', 'dir/sub']);
  assert.strictEqual((await same('readdir', at('none'))).syscall, 'scandir');
  assert.strictEqual((await same('stat', at('text')))[0], 8);
  assert.strictEqual((await same('stat', at('none'))).errno, -2);
  await same('lstat', at('link'));
  assert.strictEqual(await same('readlink', at('link')), 'text');
  assert.strictEqual(await same('realpath', at('link')), fs.realpathSync(at('text')));
  assert.strictEqual((await same('access', at('none'))).code, 'ENOENT');
  assert.strictEqual((await same('unlink', at('none'))).syscall, 'unlink');
  assert.strictEqual((await same('rmdir', home)).code, 'ENOTEMPTY');
  assert.strictEqual((await same('rename', at('none'), at('other'))).dest, at('other'));
  assert.strictEqual((await same('mkdir', at('dir'))).code, 'EEXIST');
  assert.strictEqual((await same('copyFile', at('none'), at('copy'))).syscall, 'copyfile');
  assert.strictEqual((await same('chmod', at('none'), 0o600)).syscall, 'chmod');
  assert.strictEqual((await same('utimes', at('none'), 1, 1)).syscall, 'utime');
  assert.strictEqual((await same('rm', at('dir'))).code, 'ERR_FS_EISDIR');
  assert.strictEqual((await same('open', at('none'), 'r')).syscall, 'open');

  // Wrong arguments are thrown, or rejected, never called back.
  for (const wrong of [undefined, null, 1.5, {}, [], true]) {
    assert.throws(() => fs.stat(wrong, () => {}), { code: 'ERR_INVALID_ARG_TYPE' });
    assert.throws(() => fs.statSync(wrong), { code: 'ERR_INVALID_ARG_TYPE' });
    await assert.rejects(fs.promises.stat(wrong), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  assert.throws(() => fs.readFile(at('text')), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => fs.openSync(at('text'), 'bogus'), { code: 'ERR_INVALID_ARG_VALUE' });
  assert.throws(() => fs.statSync('a\0b'), { code: 'ERR_INVALID_ARG_VALUE' });
  assert.throws(() => fs.closeSync(-1), { code: 'ERR_OUT_OF_RANGE' });
  done = true;
}

let done = false;
process.on('exit', () => assert.ok(done));
main();

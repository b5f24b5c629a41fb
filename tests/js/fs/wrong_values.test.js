// Wrong values in Node's words, where Node checks natively and speaks more plainly; and values that are none for Node.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'rondo-wrong-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const file = path.join(folder, 'f');
fs.writeFileSync(file, 'hello');
const said = (call) => {
  try {
    return call();
  } catch (error) {
    return `${error.code}: ${error.message}`;
  }
};
const type = 'ERR_INVALID_ARG_TYPE: The "fd" argument must be of type number. Received';
const range = 'ERR_OUT_OF_RANGE: The value of "fd" is out of range. It must be';
const descriptors = [
  [2 ** 53, `${range} >= 0 && <= 2147483647. Received 9007199254740992`], [-1, `${range} >= 0 && <= 2147483647. Received -1`],
  [1.5, `${range} an integer. Received 1.5`], [1n, `${type} type bigint (1)`], [Symbol('s'), `${type} Symbol(s)`],
  [() => {}, `${type} function`], [null, `${type} null`], [{}, `${type} an instance of Object`],
];
for (const [value, words] of descriptors) {
  for (const name of ['closeSync', 'fstatSync', 'fsyncSync', 'close', 'fstat']) {
    assert.strictEqual(said(() => fs[name](value, () => {})), words, name);
  }
}
assert.match(said(() => fs.readFileSync(-1)), /^ERR_OUT_OF_RANGE: The value of "fd"/);
assert.strictEqual(said(() => fs.copyFileSync(file, `${file}2`, 'x')), 'ERR_INVALID_ARG_TYPE: mode must be int32 or null/undefined');
assert.strictEqual(said(() => fs.copyFileSync(file, `${file}2`, 8)), 'ERR_OUT_OF_RANGE: mode is out of range: >= 0 && <= 7');
assert.match(said(() => fs.cpSync(file, `${file}2`, { mode: 8 })), /^ERR_OUT_OF_RANGE: The value of "mode" is out of range\. It must be/);
assert.match(said(() => fs.watch(1)), /^ERR_INVALID_ARG_TYPE: The "path" argument/);
assert.match(said(() => require('node:path').matchesGlob(1, 'x')), /^ERR_INVALID_ARG_TYPE: The "path" argument/);

// An empty encoding is the default one, a position that is no number the current one; nothing to read into is refused.
fs.symlinkSync('f', path.join(folder, 'l'));
assert.strictEqual(fs.readlinkSync(path.join(folder, 'l'), ''), 'f');
const fd = fs.openSync(file, 'r+');
assert.strictEqual(fs.readvSync(fd, [Buffer.alloc(2)], Infinity), 2);
assert.strictEqual(fs.writeSync(fd, 'LL', NaN), 2);
assert.strictEqual(fs.readFileSync(file, 'utf8'), 'heLLo');
assert.match(said(() => fs.readvSync(fd, [])), /^EINVAL: EINVAL: invalid argument, read/);
fs.closeSync(fd);
assert.rejects(fs.promises.lstat(file, null), { code: 'ERR_INVALID_ARG_TYPE' });
assert.rejects(fs.promises.appendFile(1n, 'x'), { code: 'ERR_INVALID_ARG_TYPE' });

// The callback may take the offset's place; in the synchronous form nothing may.
fs.open(file, 'r+', (error, number) => {
  assert.ifError(error);
  fs.write(number, Buffer.from('J'), (failed, count) => {
    assert.ifError(failed);
    assert.strictEqual(count, 1);
    assert.match(said(() => fs.writeSync(number, Buffer.from('J'), () => {})), /^ERR_INVALID_ARG_TYPE: The "offset" argument/);
    fs.closeSync(number);
  });
});

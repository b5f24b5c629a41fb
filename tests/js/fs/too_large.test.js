'use strict';
// A file that readFile cannot take: Node's RangeError from every form of it.
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'too-large-'));
const name = path.join(folder, 'sparse');
fs.writeFileSync(name, '');
const kSize = 2 ** 31 + 7;
fs.truncateSync(name, kSize); // a hole: no blocks are used

function check(error) {
  assert.ok(error instanceof RangeError);
  assert.strictEqual(error.constructor, RangeError);
  assert.strictEqual(error.name, 'RangeError');
  assert.strictEqual(error.code, 'ERR_FS_FILE_TOO_LARGE');
  assert.strictEqual(error.message, `File size (${kSize}) is greater than 2 GiB`);
  assert.deepStrictEqual(Object.keys(error), ['code']);
  assert.strictEqual(`${error}`, `RangeError [ERR_FS_FILE_TOO_LARGE]: ${error.message}`);
  assert.ok(error.stack.startsWith(`RangeError [ERR_FS_FILE_TOO_LARGE]: ${error.message}`), error.stack);
}

assert.throws(
  () => fs.readFileSync(name),
  (error) => {
    check(error);
    return true;
  },
);
fs.readFile(name, (error, data) => {
  check(error);
  assert.strictEqual(data, undefined);
  fs.promises
    .readFile(name)
    .then(
      () => assert.fail('it was read'),
      (reason) => check(reason),
    )
    .finally(() => fs.rmSync(folder, { recursive: true }));
});

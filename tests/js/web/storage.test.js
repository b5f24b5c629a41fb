// localStorage and sessionStorage: items as properties, the quota, what is kept over runs, and the switch that takes them away.
'use strict';

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { inspect } = require('node:util');

sessionStorage.b = 1;
sessionStorage.setItem('a', { toString: () => 'é\u{1F600}' });
assert.strictEqual(sessionStorage.length, 2);
assert.deepStrictEqual(Object.keys(sessionStorage), ['a', 'b']);
assert.strictEqual(JSON.stringify(sessionStorage), '{"a":"é\u{1F600}","b":"1"}');
assert.strictEqual(inspect(sessionStorage), "Storage { a: 'é\u{1F600}', b: '1' }");
assert.deepStrictEqual(Object.getOwnPropertyDescriptor(sessionStorage, 'b'), {
  value: '1',
  writable: true,
  enumerable: true,
  configurable: true,
});
assert('a' in sessionStorage && !('c' in sessionStorage));
assert.strictEqual(sessionStorage.key(1), 'b');
assert.strictEqual(sessionStorage.key(2), null);
assert.strictEqual(sessionStorage.getItem('c'), null);
assert.strictEqual(sessionStorage.c, undefined);
delete sessionStorage.a;
sessionStorage.removeItem('b');
assert.strictEqual(sessionStorage.length, 0);

// An item does not hide a method.
sessionStorage.setItem('getItem', 'x');
assert.strictEqual(typeof sessionStorage.getItem, 'function');
assert.strictEqual(sessionStorage.getItem('getItem'), 'x');
sessionStorage.clear();

assert.throws(() => new Storage(), { code: 'ERR_ILLEGAL_CONSTRUCTOR' });
assert.throws(() => Storage.prototype.length, TypeError);
assert.throws(() => sessionStorage.setItem('a'), { code: 'ERR_MISSING_ARGS' });
assert.throws(() => Object.preventExtensions(sessionStorage), TypeError);
assert.throws(() => Object.defineProperty(sessionStorage, 'a', { get() {} }), TypeError);

sessionStorage['a'.repeat(5 * 1024 * 1024)] = '';
assert.throws(() => (sessionStorage.more = ''), { name: 'QuotaExceededError', code: 22 });
assert.strictEqual(sessionStorage.length, 1);
sessionStorage.clear();
sessionStorage.more = 'fits again';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-storage-'));
const file = path.join(folder, 'items');
const run = (...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stdout: stdout.trim(), stderr };
};
const withFile = (text) => run(`--localstorage-file=${file}`, '-p', text).stdout;
assert.strictEqual(withFile('localStorage === localStorage && Object.keys(globalThis).includes("localStorage")'), 'true');
assert.strictEqual(fs.existsSync(file), false);
assert.strictEqual(withFile('localStorage.name = "value"'), 'value');
assert.strictEqual(withFile('localStorage.name + localStorage.length + sessionStorage.length'), 'value10');
const worker = 'new (require("worker_threads").Worker)("console.log(localStorage.name)", { eval: true })';
assert.match(withFile(`${worker}, 1`), /value/);

// A file that is no database is refused; what it holds stays.
fs.writeFileSync(file, 'something else entirely, and longer than a header of a database would be'.repeat(20));
const broken = run(`--localstorage-file=${file}`, '-e', 'localStorage.name');
assert.strictEqual(broken.status, 1);
assert.match(broken.stderr, /file is not a database/);
assert(fs.readFileSync(file, 'utf8').startsWith('something else'));

// A file of Node's, whose triggers call a function that this SQLite may not have.
fs.rmSync(file);
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(file);
database.exec(`CREATE TABLE nodejs_webstorage(key BLOB NOT NULL, value BLOB NOT NULL, PRIMARY KEY(key)) STRICT;
  CREATE TABLE nodejs_webstorage_state(max_size INTEGER NOT NULL DEFAULT 20, total_size INTEGER NOT NULL, schema_version INTEGER NOT NULL
    DEFAULT 0, single_row_ INTEGER NOT NULL DEFAULT 1 CHECK(single_row_ = 1), PRIMARY KEY(single_row_)) STRICT;
  INSERT INTO nodejs_webstorage_state(total_size, schema_version) VALUES(0, 1);
  INSERT INTO nodejs_webstorage VALUES(X'7800', X'e900');
  CREATE TRIGGER nodejs_quota_insert AFTER INSERT ON nodejs_webstorage FOR EACH ROW BEGIN
    UPDATE nodejs_webstorage_state SET total_size = total_size + OCTET_LENGTH(NEW.key) + OCTET_LENGTH(NEW.value);
    SELECT RAISE(ABORT, 'QuotaExceeded') WHERE EXISTS (SELECT 1 FROM nodejs_webstorage_state WHERE total_size > max_size); END;`);
database.close();
assert.strictEqual(withFile('localStorage.x'), 'é');
assert.strictEqual(withFile('localStorage.y = "z"; localStorage.y'), 'z');
assert.match(run(`--localstorage-file=${file}`, '-e', 'localStorage.y2 = "z".repeat(10)').stderr, /QuotaExceededError/);

const without = run('-p', 'localStorage');
assert.strictEqual(without.stdout, 'undefined');
assert.match(without.stderr, /ExperimentalWarning: localStorage is not available/);
assert.strictEqual(run('-p', 'Object.keys(globalThis).includes("localStorage")').stdout, 'false');
for (const name of ['Storage', 'localStorage', 'sessionStorage']) {
  for (const option of ['--no-webstorage', '--no-experimental-webstorage']) {
    assert.match(run(option, '-e', name).stderr, new RegExp(`ReferenceError: ${name} is not defined`));
  }
}
fs.rmSync(folder, { recursive: true });

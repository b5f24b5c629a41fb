// Under --permission a database is a file like any other, by whatever name SQLite is given it.
'use strict';

const assert = require('assert');
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { DatabaseSync } = require('node:sqlite');

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'sqlite')));
process.on('exit', () => fs.rmSync(root, { recursive: true }));
for (const name of ['open', 'read', 'secret']) {
  fs.mkdirSync(path.join(root, name));
  const db = new DatabaseSync(path.join(root, name, 'a.db'));
  db.exec('CREATE TABLE t (n); INSERT INTO t VALUES (1)');
  db.close();
}

const rights = ['--permission', `--allow-fs-read=${root}/open`, `--allow-fs-write=${root}/open`, `--allow-fs-read=${root}/read`];
function run(code) {
  const program = `const { DatabaseSync, backup } = require('node:sqlite'); const root = ${JSON.stringify(root)};
    const db = () => new DatabaseSync(root + '/open/a.db');
    try { ${code}; console.log('done'); } catch (error) { console.log(error.code); }`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', ...rights, '-e', program], { encoding: 'utf8' });
  return stdout.trim() || stderr;
}

for (const code of ['db().exec("INSERT INTO t VALUES (2)")', 'new DatabaseSync(root + "/read/a.db", { readOnly: true }).exec("SELECT * FROM t")',
  'new DatabaseSync(":memory:").exec("SELECT 1")', 'db().exec("ATTACH \'" + root + "/open/b.db\' AS b; ATTACH \':memory:\' AS c")',
  'db().exec("VACUUM INTO \'" + root + "/open/c.db\'")']) {
  assert.strictEqual(run(code), 'done', code);
}
for (const code of ['new DatabaseSync(root + "/secret/a.db")', 'new DatabaseSync(root + "/read/a.db")', 'new DatabaseSync("file:" + root + "/secret/a.db")',
  'new DatabaseSync("file://" + root + "/secr%65t/a.db?mode=ro")', 'new DatabaseSync(root + "/open/../secret/a.db", { readOnly: true })',
  'db().exec("ATTACH \'" + root + "/secret/a.db\' AS b")', 'db().exec("ATTACH \'file:" + root + "/%73ecret/a.db\' AS b")',
  'db().exec("VACUUM INTO \'" + root + "/secret/b.db\'")',
  'const d = db(); d.setAuthorizer(() => 0); d.exec("ATTACH \'" + root + "/secret/a.db\' AS b")']) {
  assert.strictEqual(run(code), 'ERR_ACCESS_DENIED', code);
}
assert.strictEqual(run('new DatabaseSync(":memory:", { allowExtension: true })'), 'ERR_LOAD_SQLITE_EXTENSION');
const refused = run('backup(db(), root + "/secret/b.db").then(() => console.log("copied"), (error) => console.log(error.code)); process.exitCode = 0');
assert.match(refused, /ERR_ACCESS_DENIED/);
assert.deepStrictEqual(fs.readdirSync(path.join(root, 'secret')), ['a.db']);

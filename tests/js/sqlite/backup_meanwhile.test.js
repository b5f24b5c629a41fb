'use strict';
// A connection is used, also from a function that SQLite calls, while a backup reads it on a thread of the pool.
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { DatabaseSync, backup } = require('node:sqlite');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'backup-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const database = new DatabaseSync(':memory:');
database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)');
const insert = database.prepare('INSERT INTO t (text) VALUES (?)');
database.exec('BEGIN');
for (let i = 0; i < 20_000; i++) insert.run(`row ${i} ${'x'.repeat(50)}`);
database.exec('COMMIT');

const copies = [];
const start = () => copies.push(backup(database, path.join(folder, `copy ${copies.length}.db`), { rate: 20 }));
start();
database.function('start_another', () => {
  start(); // in the middle of a statement
  return 1;
});
assert.strictEqual(database.prepare('SELECT sum(start_another()) AS n FROM t WHERE id <= 2').get().n, 2);

const count = database.prepare('SELECT count(*) AS n FROM t');
const get = database.prepare('SELECT text FROM t WHERE id = ?');
let rounds = 0; // a backup begins anew after each change
const all = Promise.all(copies);
(function use() {
  if (++rounds > 50) return;
  for (let i = 0; i < 200; i++) {
    insert.run(`new ${i}`);
    assert.match(get.get(1 + (i % 20_000)).text, /^row /);
  }
  setImmediate(use);
})();
all.then(() => {
  for (let i = 0; i < copies.length; i++) {
    const copy = new DatabaseSync(path.join(folder, `copy ${i}.db`));
    assert.strictEqual(copy.prepare('PRAGMA integrity_check').get().integrity_check, 'ok');
    assert.ok(copy.prepare('SELECT count(*) AS n FROM t').get().n >= 20_000);
    copy.close();
  }
  assert.ok(count.get().n > 20_000);
  database.close();
  console.log('ok');
});

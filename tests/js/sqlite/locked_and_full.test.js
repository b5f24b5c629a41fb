// A database that another process has locked, and one that may not grow: SQLite's number, Node's code, and afterwards the connection works.
'use strict';

const assert = require('assert');
const { spawn } = require('child_process');
const { once } = require('events');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { DatabaseSync } = require('node:sqlite');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sqlite'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const file = path.join(folder, 'file.db');

const holder = `
const { DatabaseSync } = require('node:sqlite');
const db = new DatabaseSync(process.argv[1]);
db.exec('BEGIN EXCLUSIVE; INSERT INTO t VALUES (1)');
console.log('locked');
process.stdin.on('end', () => { db.exec('COMMIT'); db.close(); }).resume();`;

async function locked() {
  const db = new DatabaseSync(file);
  db.exec('CREATE TABLE t (a)');
  const insert = db.prepare('INSERT INTO t VALUES (?)');
  const child = spawn(process.execPath, ['-e', holder, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const refused = { name: 'Error', code: 'ERR_SQLITE_ERROR', errcode: 5, errstr: 'database is locked', message: 'database is locked' };
  assert.throws(() => insert.run(2), refused);
  assert.throws(() => db.exec('SELECT * FROM t'), refused);
  assert.throws(() => db.prepare('SELECT * FROM t').all(), refused);
  // A connection with a time limit waits that long.
  const patient = new DatabaseSync(file, { timeout: 50 });
  const before = process.hrtime.bigint();
  assert.throws(() => patient.exec('INSERT INTO t VALUES (3)'), refused);
  assert.ok(process.hrtime.bigint() - before >= 40_000_000n);
  patient.close();
  child.stdin.end();
  const [code] = await once(child, 'close');
  assert.strictEqual(code, 0);
  insert.run(2);
  assert.deepStrictEqual(db.prepare('SELECT a FROM t ORDER BY a').all().map(({ a }) => a), [1, 2]);
  db.close();
}

// SQLite answers so on a full disk, too.
function full() {
  const db = new DatabaseSync(path.join(folder, 'full.db'));
  db.exec('PRAGMA max_page_count = 8; CREATE TABLE t (text TEXT)');
  const insert = db.prepare('INSERT INTO t VALUES (?)');
  let rows = 0;
  assert.throws(() => { for (;;) { insert.run('x'.repeat(2000)); rows++; } },
    { code: 'ERR_SQLITE_ERROR', errcode: 13, errstr: 'database or disk is full', message: 'database or disk is full' });
  assert.ok(rows > 0);
  assert.strictEqual(db.prepare('SELECT count(*) AS n FROM t').get().n, rows);
  db.exec('DELETE FROM t');
  insert.run('fits again');
  assert.strictEqual(db.prepare('PRAGMA integrity_check').get().integrity_check, 'ok');
  db.close();
}

full();
locked();

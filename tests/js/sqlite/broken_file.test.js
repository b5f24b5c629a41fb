// Files that are no database, or no longer a whole one: an error with SQLite's number, never a crash.
'use strict';

const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { DatabaseSync } = require('node:sqlite');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sqlite'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const file = path.join(folder, 'file.db');

const whole = new DatabaseSync(file);
whole.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT); CREATE INDEX i ON t (text)');
const insert = whole.prepare('INSERT INTO t VALUES (?, ?)');
for (let i = 0; i < 500; i++) insert.run(i, `text ${i * 7919}`);
whole.close();
const bytes = fs.readFileSync(file);

function readEverything(db) {
  db.prepare('PRAGMA integrity_check').all();
  db.prepare('SELECT * FROM t').all();
  db.prepare('SELECT text FROM t ORDER BY text').all();
  db.exec('INSERT INTO t (text) VALUES (\'more\')');
}

// All of it is text.
fs.writeFileSync(file, 'This is no database. '.repeat(500));
{
  const db = new DatabaseSync(file);
  assert.throws(() => db.exec('SELECT * FROM t'),
    { name: 'Error', code: 'ERR_SQLITE_ERROR', errcode: 26, errstr: 'file is not a database', message: 'file is not a database' });
  db.close();
}
assert.throws(() => new DatabaseSync(folder), { code: 'ERR_SQLITE_ERROR', errcode: 14, message: 'unable to open database file' });
assert.throws(() => new DatabaseSync(path.join(folder, 'none.db'), { readOnly: true }), { code: 'ERR_SQLITE_ERROR', errcode: 14 });

// Cut, or with bytes changed, a hundred times: read to the end or refused as corrupt.
let seed = 12345;
const random = (below) => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return seed % below; };
const corrupt = new Set([1, 11, 26]);
let refused = 0;
for (let i = 0; i < 100; i++) {
  let changed = Buffer.from(bytes);
  if (i % 4 === 0) changed = changed.subarray(0, random(changed.length));
  else for (let n = 0; n < 20; n++) changed[(i % 4 === 1 ? 0 : random(changed.length - 100)) + random(100)] = random(256);
  fs.writeFileSync(file, changed);
  for (const leftover of ['-journal', '-wal', '-shm']) fs.rmSync(file + leftover, { force: true });
  const db = new DatabaseSync(file);
  try {
    readEverything(db);
  } catch (error) {
    refused++;
    assert.strictEqual(error.code, 'ERR_SQLITE_ERROR');
    assert.ok(corrupt.has(error.errcode & 0xff) || error.errcode === 19 || (error.errcode & 0xff) === 13 || (error.errcode & 0xff) === 10, error);
  }
  db.close();
}
assert.ok(refused > 10, `${refused}`);

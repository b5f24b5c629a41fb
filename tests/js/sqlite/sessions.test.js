// Changes of one database applied to another, copies in memory, and copies into files.
'use strict';

const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { backup, constants, DatabaseSync } = require('node:sqlite');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sqlite'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

function database(location = ':memory:') {
  const db = new DatabaseSync(location);
  db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)');
  return db;
}
const rows = (db) => db.prepare('SELECT id, text FROM t ORDER BY id', { returnArrays: true }).all();

// Sessions.
{
  const [from, to] = [database(), database()];
  const session = from.createSession();
  from.exec('INSERT INTO t VALUES (1, \'a\'), (2, \'b\')');
  assert.strictEqual(to.applyChangeset(session.changeset()), true);
  assert.deepStrictEqual(rows(to), [[1, 'a'], [2, 'b']]);
  // The second time every change conflicts.
  assert.strictEqual(to.applyChangeset(session.changeset()), false);
  const conflicts = [];
  const onConflict = (kind) => { conflicts.push(kind); return constants.SQLITE_CHANGESET_OMIT; };
  assert.strictEqual(to.applyChangeset(session.patchset(), { onConflict }), true);
  assert.deepStrictEqual(conflicts, [constants.SQLITE_CHANGESET_CONFLICT, constants.SQLITE_CHANGESET_CONFLICT]);
  const boom = new Error('boom');
  const fails = () => { throw boom; };
  assert.throws(() => to.applyChangeset(session.changeset(), { onConflict: fails }), (error) => error === boom);
  assert.throws(() => to.applyChangeset(session.changeset(), { filter: fails }), (error) => error === boom);
  assert.throws(() => to.applyChangeset(session.changeset(), { onConflict: () => 'no' }), { code: 'ERR_SQLITE_ERROR', errcode: 21 });
  assert.strictEqual(to.applyChangeset(session.changeset(), { filter: (table) => table !== 't' }), true);
  for (const malformed of ['010203', '5404', '540401000000743100177e0072286565286565', '5002010074000000']) {
    assert.throws(() => to.applyChangeset(Buffer.from(malformed, 'hex')), { code: 'ERR_SQLITE_ERROR', errcode: 11 });
  }
  session.close();
  assert.throws(() => session.changeset(), { code: 'ERR_INVALID_STATE', message: 'session is not open' });
  const lost = from.createSession({ table: 't', db: 'main' });
  from.close();
  assert.throws(() => lost.changeset(), { message: 'database is not open' });
  assert.throws(() => new lost.constructor(), { code: 'ERR_ILLEGAL_CONSTRUCTOR' });
}

// serialize() and deserialize().
{
  const db = database();
  db.exec('INSERT INTO t VALUES (1, \'kept\')');
  const bytes = db.serialize();
  assert.strictEqual(Buffer.from(bytes).toString('latin1', 0, 15), 'SQLite format 3');
  const copy = new DatabaseSync(':memory:');
  const statement = copy.prepare('SELECT 1');
  copy.deserialize(bytes);
  assert.throws(() => statement.get(), /finalized/);
  copy.exec('INSERT INTO t VALUES (2, \'new\')');
  assert.deepStrictEqual(rows(copy), [[1, 'kept'], [2, 'new']]);
  assert.deepStrictEqual(rows(db), [[1, 'kept']]);
  assert.ok(new DatabaseSync(':memory:').serialize().length > 0);
  // Bytes that are no database.
  const broken = new DatabaseSync(':memory:');
  broken.deserialize(new Uint8Array(4096).fill(7));
  assert.throws(() => broken.exec('SELECT * FROM t'), { code: 'ERR_SQLITE_ERROR', errcode: 26, message: 'file is not a database' });
}

// backup().
async function backups() {
  const db = database();
  const insert = db.prepare('INSERT INTO t VALUES (?, ?)');
  for (let i = 1; i <= 300; i++) insert.run(i, 'x'.repeat(1000));
  const target = path.join(folder, 'copy.db');
  const seen = [];
  const progress = ({ totalPages, remainingPages }) => { seen.push(totalPages - remainingPages); };
  const total = await backup(db, target, { rate: 10, progress });
  assert.ok(seen.length >= Math.floor(total / 10) - 1 && seen.every((pages, i) => pages === (i + 1) * 10), `${seen}`);
  assert.strictEqual(rows(new DatabaseSync(target, { readOnly: true })).length, 300);
  // The source is closed, and collected, in the middle.
  const closing = backup(db, path.join(folder, 'closing.db'), { rate: 1 });
  db.close();
  assert.strictEqual(await closing, total);
  assert.strictEqual(rows(new DatabaseSync(path.join(folder, 'closing.db'))).length, 300);
  assert.throws(() => backup(db, target), { code: 'ERR_INVALID_STATE' });
  const other = database();
  await assert.rejects(backup(other, path.join(folder, 'no/where.db')), { code: 'ERR_SQLITE_ERROR', message: 'unable to open database file' });
  await assert.rejects(backup(other, target, { source: 'none' }), { code: 'ERR_SQLITE_ERROR' });
  await assert.rejects(backup(other, path.join(folder, 'p.db'), { rate: 1, progress() { throw new Error('stop'); } }), /stop/);
}
backups();

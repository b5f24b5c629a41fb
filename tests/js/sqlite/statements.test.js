// Statements over their life: iterators, schemas that change, databases that close, the collector.
'use strict';

const assert = require('assert');
const { DatabaseSync } = require('node:sqlite');

function filled(rows = 5) {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)');
  const insert = db.prepare('INSERT INTO t VALUES (?, ?)');
  for (let i = 1; i <= rows; i++) assert.deepStrictEqual(insert.run(i, `row ${i}`), { changes: 1, lastInsertRowid: i });
  return db;
}

{
  const db = filled();
  const select = db.prepare('SELECT id FROM t ORDER BY id');
  assert.deepStrictEqual([...select.iterate()].map((row) => row.id), [1, 2, 3, 4, 5]);
  // Left early, it stays at its end.
  const left = select.iterate();
  for (const row of left) if (row.id === 2) break;
  assert.deepStrictEqual(left.next(), { __proto__: null, done: true, value: null });
  // Another execution of the statement ends it.
  for (const execute of [() => select.get(), () => select.all(), () => select.run(), () => select.iterate()]) {
    const iterator = select.iterate();
    iterator.next();
    execute();
    assert.throws(() => iterator.next(), { code: 'ERR_INVALID_STATE', message: 'iterator was invalidated' });
    // … and its return() takes no rows from the new one.
    const fresh = select.iterate();
    fresh.next();
    iterator.return();
    assert.strictEqual(fresh.next().value.id, 2);
  }
  assert.ok(select.iterate() instanceof Iterator);
  assert.deepStrictEqual(select.iterate().map((row) => row.id * 2).toArray(), [2, 4, 6, 8, 10]);
  // Columns follow the schema.
  const all = db.prepare('SELECT * FROM t WHERE id = 1');
  assert.deepStrictEqual({ ...all.get() }, { id: 1, text: 'row 1' });
  db.exec('ALTER TABLE t ADD COLUMN more DEFAULT 7');
  assert.deepStrictEqual({ ...all.get() }, { id: 1, text: 'row 1', more: 7 });
  db.exec('ALTER TABLE t RENAME COLUMN text TO words');
  assert.deepStrictEqual({ ...all.all()[0] }, { id: 1, words: 'row 1', more: 7 });
  // Closed with the database, or alone.
  const iterator = select.iterate();
  select.close();
  assert.throws(() => select.get(), { code: 'ERR_INVALID_STATE', message: 'statement has been finalized' });
  assert.throws(() => iterator.next(), /finalized/);
  assert.throws(() => select.close(), /finalized/);
  select[Symbol.dispose]();
  db.close();
  for (const use of [() => all.get(), () => all.sourceSQL, () => all.columns(), () => all.setReturnArrays(true)]) {
    assert.throws(use, { code: 'ERR_INVALID_STATE', message: 'statement has been finalized' });
  }
  assert.throws(() => db.exec('SELECT 1'), { code: 'ERR_INVALID_STATE', message: 'database is not open' });
  db.open();
  assert.throws(() => db.prepare('SELECT * FROM t'), /no such table/);
}

// SQL and numbers of statements.
{
  const db = filled(3);
  const statement = db.prepare('SELECT * FROM t WHERE id > ? ORDER BY text');
  statement.all(1);
  assert.strictEqual(statement.sourceSQL, 'SELECT * FROM t WHERE id > ? ORDER BY text');
  assert.strictEqual(statement.expandedSQL, 'SELECT * FROM t WHERE id > 1.0 ORDER BY text');
  assert.strictEqual(statement.stat('run'), 1);
  assert.strictEqual(statement.stat('sort'), 1);
  statement.resetStats();
  assert.strictEqual(statement.stat('run'), 0);
  assert.throws(() => statement.stat('nothing'), { code: 'ERR_INVALID_ARG_VALUE' });
  for (const empty of ['', ' ', '-- nothing', ';']) {
    assert.throws(() => db.prepare(empty), { code: 'ERR_INVALID_ARG_VALUE', message: 'The SQL query contains no statements.' });
  }
  assert.throws(() => db.prepare('SELEC'), { code: 'ERR_SQLITE_ERROR', errcode: 1, errstr: 'SQL logic error', message: /syntax error/ });
  assert.deepStrictEqual(statement.columns().map((column) => [column.name, column.table, column.type]),
    [['id', 't', 'INTEGER'], ['text', 't', 'TEXT']]);
}

// A statement keeps its database, an iterator its statement, and what nobody holds goes.
{
  const { collectGarbage } = { collectGarbage: globalThis.gc ?? (() => { require('v8').setFlagsFromString('--expose-gc'); require('vm').runInNewContext('0'); }) };
  const iterator = filled(1000).prepare('SELECT * FROM t').iterate();
  let count = 0;
  for (const row of iterator) {
    count += row.id > 0 ? 1 : 0;
    if (count % 100 === 0) collectGarbage();
  }
  assert.strictEqual(count, 1000);
  for (let i = 0; i < 2000; i++) filled(1).prepare('SELECT * FROM t').iterate().next();
}

// Template literals: one statement for each text, the least recently used goes first.
{
  const db = filled(3);
  const sql = db.createTagStore(2);
  assert.strictEqual(sql.get`SELECT text FROM t WHERE id = ${2}`.text, 'row 2');
  assert.strictEqual(sql.get`SELECT text FROM t WHERE id = ${3}`.text, 'row 3');
  assert.strictEqual(sql.size, 1);
  assert.strictEqual(sql.all`SELECT 1`.length, 1);
  assert.strictEqual(sql.run`DELETE FROM t WHERE id = ${1}`.changes, 1);
  assert.strictEqual(sql.size, 2);
  assert.deepStrictEqual([...sql.iterate`SELECT id FROM t`].map((row) => row.id), [2, 3]);
  assert.strictEqual(sql.capacity, 2);
  assert.strictEqual(sql.db, db);
  assert.throws(() => sql.get`SELECT ?`, { code: 'ERR_INVALID_ARG_VALUE' });
  assert.throws(() => sql.get('SELECT 1'), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => new sql.constructor(), { code: 'ERR_ILLEGAL_CONSTRUCTOR' });
  db.close();
  assert.throws(() => sql.get`SELECT 1`, { code: 'ERR_INVALID_STATE' });
}

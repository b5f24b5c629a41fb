// Functions of the program in SQL: what they get, give and throw, and what they may not do to the statement that calls them.
'use strict';

const assert = require('assert');
const { DatabaseSync, constants } = require('node:sqlite');

const db = new DatabaseSync(':memory:');
db.exec('CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1), (2), (3), (4)');
const value = (sql, ...rest) => Object.values(db.prepare(sql).get(...rest))[0];

// Scalars.
db.function('plus', (a, b) => a + b);
assert.strictEqual(value('SELECT plus(2, 3)'), 5);
assert.strictEqual(value('SELECT PLUS(\'a\', \'b\')'), 'ab');
db.function('plus', (a, b) => a - b);
assert.strictEqual(value('SELECT plus(2, 3)'), -1);
db.function('count_of', { varargs: true }, (...args) => args.length);
assert.strictEqual(value('SELECT count_of(1, 2, 3, 4)'), 4);
db.function('kind', { useBigIntArguments: true }, (a) => typeof a);
assert.strictEqual(value('SELECT kind(1)'), 'bigint');

// Errors go through SQLite to whoever executes the statement, and undo what it did.
const boom = new Error('boom');
db.function('fails', () => { throw boom; });
for (const execute of [() => value('SELECT fails()'), () => db.exec('SELECT fails()'), () => db.prepare('SELECT fails()').all(),
  () => db.prepare('SELECT fails()').iterate().next(), () => db.prepare('UPDATE t SET n = fails()').run()]) {
  assert.throws(execute, (error) => error === boom);
}
assert.strictEqual(value('SELECT sum(n) FROM t'), 10);
// Only the statement that failed says so.
assert.throws(() => db.exec('SELEC'), { code: 'ERR_SQLITE_ERROR' });
for (const bad of [() => ({}), async () => 1, () => Symbol('x')]) {
  db.function('bad', bad);
  assert.throws(() => value('SELECT bad()'), { code: 'ERR_SQLITE_ERROR' });
}
db.function('nothrow', () => { throw undefined; });
assert.throws(() => db.exec('SELECT nothrow()'), (error) => error === undefined);

// Inside: other statements work; the same one, close() and deserialize() do not.
let outer;
db.function('inside', (n) => {
  assert.throws(() => outer.get(1), { code: 'ERR_INVALID_STATE', message: 'statement is already being executed' });
  assert.throws(() => outer.close(), { code: 'ERR_INVALID_STATE' });
  assert.throws(() => db.close(), { code: 'ERR_INVALID_STATE', message: 'database cannot be closed while in a callback' });
  assert.throws(() => db.deserialize(new Uint8Array(10)), { code: 'ERR_INVALID_STATE' });
  return value('SELECT ? * 2', n);
});
outer = db.prepare('SELECT inside(?)');
assert.strictEqual(Object.values(outer.get(4))[0], 8);
// A function within a function within a function.
db.function('factorial', (n) => (n <= 1 ? 1 : n * value('SELECT factorial(?)', n - 1)));
assert.strictEqual(value('SELECT factorial(10)'), 3628800);

// Aggregates and windows.
db.aggregate('list', { start: () => [], step: (list, n) => [...list, n], result: (list) => list.join() });
assert.strictEqual(value('SELECT list(n) FROM t'), '1,2,3,4');
assert.strictEqual(value('SELECT list(n) FROM t WHERE 0'), '');
db.aggregate('total_of', { start: 0, step: (sum, n) => sum + n, inverse: (sum, n) => sum - n });
assert.deepStrictEqual(
  db.prepare('SELECT total_of(n) OVER (ORDER BY n ROWS 1 PRECEDING) AS sum FROM t').all().map((row) => row.sum), [1, 3, 5, 7]);
for (const part of ['start', 'step', 'result']) {
  const options = { start: () => 0, step: (state, n) => state + n, result: (state) => state };
  options[part] = part === 'step' ? (state, n) => { throw boom; } : () => { throw boom; };
  db.aggregate('failing', options);
  assert.throws(() => value('SELECT failing(n) FROM t'), (error) => error === boom, part);
}
assert.strictEqual(value('SELECT list(n) FROM t'), '1,2,3,4');
// Left in the middle, then collected or closed: nothing of the program's runs any more.
{
  let calls = 0;
  const other = new DatabaseSync(':memory:');
  other.exec('CREATE TABLE t (n); INSERT INTO t VALUES (1), (2), (3)');
  other.aggregate('counted', { start: 0, step: (n, x) => n + x, inverse: (n, x) => n - x, result: (n) => { calls++; return n; } });
  const iterator = other.prepare('SELECT counted(n) OVER (ORDER BY n ROWS 1 PRECEDING) FROM t').iterate();
  iterator.next();
  const before = calls;
  other.close();
  assert.strictEqual(calls, before);
}

// The authorizer.
const seen = [];
db.setAuthorizer((...args) => { seen.push(args); return constants.SQLITE_OK; });
value('SELECT n FROM t');
assert.deepStrictEqual(seen, [[constants.SQLITE_SELECT, null, null, null, null], [constants.SQLITE_READ, 't', 'n', 'main', null]]);
db.setAuthorizer((action) => (action === constants.SQLITE_READ ? constants.SQLITE_IGNORE : constants.SQLITE_OK));
assert.strictEqual(value('SELECT n FROM t'), null);
db.setAuthorizer(() => constants.SQLITE_DENY);
assert.throws(() => db.exec('SELECT 1'), { code: 'ERR_SQLITE_ERROR', message: 'not authorized' });
db.setAuthorizer(() => { throw boom; });
assert.throws(() => db.exec('SELECT 1'), (error) => error === boom);
db.setAuthorizer(() => 7);
assert.throws(() => db.exec('SELECT 1'), { name: 'RangeError' });
db.setAuthorizer(() => { db.exec('SELECT 1'); });
assert.throws(() => db.exec('SELECT 1'), { code: 'ERR_INVALID_STATE', message: 'database cannot be accessed from an authorizer callback' });
db.setAuthorizer(null);
assert.strictEqual(value('SELECT 1'), 1);

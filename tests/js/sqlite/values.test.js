// Values there and back, in every type of SQLite's; what cannot be bound or read says so.
'use strict';

const assert = require('assert');
const { DatabaseSync } = require('node:sqlite');

const db = new DatabaseSync(':memory:');

// Values that are stored are read back the same.
const values = [
  [null, null], [0, 0], [-1, -1], [1.5, 1.5], [-0.25, -0.25], [2 ** 31, 2 ** 31], [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ['', ''], ['text', 'text'], ['ä', 'ä'], ['€uro', '€uro'], ['😀', '😀'], ['a\0b', 'a\0b'], ['\ud800x', '\ufffdx'],
  ['x'.repeat(100_000), 'x'.repeat(100_000)], [5n, 5], [true, 1], [false, 0],
  [new Uint8Array([1, 2, 3]), new Uint8Array([1, 2, 3])], [new Uint8Array(0), new Uint8Array(0)],
  [Buffer.from('abc').subarray(1), new Uint8Array([98, 99])], [new DataView(new ArrayBuffer(2)), new Uint8Array(2)],
  [new Uint16Array([258]), new Uint8Array([2, 1])],
];
const echo = db.prepare('SELECT ? AS value');
for (const [given, expected] of values) {
  assert.deepStrictEqual(echo.all(given)[0].value, expected);
}
// An ArrayBuffer alone would be taken for named parameters, if it were not bytes.
assert.deepStrictEqual(echo.get(new Uint8Array([7]).buffer).value, new Uint8Array([7]));

// Integers beyond the safe ones.
const large = db.prepare('SELECT 9007199254740992 AS value');
assert.throws(() => large.get(), { code: 'ERR_OUT_OF_RANGE', name: 'RangeError' });
large.setReadBigInts(true);
assert.strictEqual(large.get().value, 9007199254740992n);
const bounds = db.prepare('SELECT ? AS low, ? AS high', { readBigInts: true });
assert.deepStrictEqual({ ...bounds.get(-(2n ** 63n), 2n ** 63n - 1n) }, { low: -(2n ** 63n), high: 2n ** 63n - 1n });
for (const outside of [2n ** 63n, -(2n ** 63n) - 1n, 2n ** 64n, 2n ** 200n]) {
  assert.throws(() => echo.get(outside), { code: 'ERR_INVALID_ARG_VALUE', message: 'BigInt value is too large to bind.' });
}

// What SQLite has no type for.
for (const unbindable of [undefined, Symbol('s'), () => {}]) {
  assert.throws(() => db.prepare('SELECT ?, ?').get(1, unbindable),
    { code: 'ERR_INVALID_ARG_TYPE', message: 'Provided value cannot be bound to SQLite parameter 2.' });
}

// Rows: columns of any name, the last of two with the same name, indexes, very many.
assert.deepStrictEqual(db.prepare('SELECT 1 AS a, 2 AS a').get(), { __proto__: null, a: 2 });
assert.deepStrictEqual(db.prepare('SELECT 1 AS "0", 2 AS b').get(), { __proto__: null, 0: 1, b: 2 });
assert.deepStrictEqual(db.prepare('SELECT 1 AS "__proto__", 2 AS constructor').get(),
  { __proto__: null, ['__proto__']: 1, constructor: 2 });
for (const count of [1, 7, 8, 9, 16, 17, 63, 64, 65, 300]) {
  const names = Array.from({ length: count }, (_, i) => `c${i}`);
  const row = db.prepare(`SELECT ${names.map((name, i) => `${i} AS ${name}`)}`).get();
  assert.deepStrictEqual(Object.keys(row), names);
  assert.deepStrictEqual(Object.values(row), names.map((_, i) => i));
}
assert.deepStrictEqual(db.prepare('SELECT 1, NULL, x\'ff\'', { returnArrays: true }).all(), [[1, null, new Uint8Array([255])]]);

// Named and anonymous parameters together; ?1 by its place.
const mixed = db.prepare('SELECT $a AS a, ? AS b, @c AS c, ?5 AS d');
assert.deepStrictEqual({ ...mixed.get({ $a: 1, '@c': 3 }, 2, 4) }, { a: 1, b: 2, c: 3, d: null });
assert.deepStrictEqual({ ...mixed.get({ a: 1, c: 3 }, 2) }, { a: 1, b: 2, c: 3, d: null });
assert.throws(() => mixed.get({ e: 1 }), { code: 'ERR_INVALID_STATE', message: 'Unknown named parameter \'e\'' });
mixed.setAllowUnknownNamedParameters(true);
assert.strictEqual(mixed.get({ e: 1, a: 5 }).a, 5);

// A getter among the parameters may do what it likes; the statement and the database stay.
const nasty = { get a() { assert.throws(() => db.close(), /callback/); assert.throws(() => mixed.get(), /already being executed/); return 9; } };
assert.strictEqual(mixed.get(nasty).a, 9);
assert.throws(() => mixed.get({ get a() { throw new Error('from the getter'); } }), /from the getter/);
assert.strictEqual(mixed.get({ a: 1 }).a, 1);

for (const receiver of [{}, null, db]) assert.throws(() => echo.run.call(receiver), { name: 'TypeError', message: 'Illegal invocation' });
for (const method of ['open', 'close', 'exec', 'prepare', 'location', 'serialize', 'createSession']) {
  assert.throws(() => db[method].call({}, 'x'), { name: 'TypeError' }, method);
}

// A database shows its properties, as Node's.
{
  const shown = require('node:util').inspect(new (require('node:sqlite').DatabaseSync)(':memory:'), { breakLength: Infinity });
  const type = "Symbol(sqlite-type): 'node:sqlite'";
  require('node:assert').strictEqual(shown, `DatabaseSync { isOpen: [Getter], isTransaction: [Getter], limits: [Getter], ${type} }`);
}

// A bound text stays the parameter's until it is bound anew, whatever becomes of the string it came from.
{
  const db = new DatabaseSync(':memory:');
  assert.deepStrictEqual({ ...db.prepare('PRAGMA secure_delete').get() }, { secure_delete: 0 }); // SQLite's own default
  const echo = db.prepare('SELECT ? AS a, ? AS b');
  const text = (i) => ['text', i, 'x'.repeat(i % 300)].join('-');
  for (let i = 0; i < 2000; i++) {
    const row = echo.get(text(i), i % 3 === 0 ? `ä${i}` : text(i + 1));
    assert.strictEqual(row.a, text(i));
    assert.strictEqual(row.b, i % 3 === 0 ? `ä${i}` : text(i + 1));
    if (i % 100 === 0) globalThis.gc?.();
    if (i % 50 === 0) assert(echo.expandedSQL.startsWith(`SELECT '${text(i)}' AS a`));
  }
  const rows = echo.iterate(text(7), '');
  for (let i = 0; i < 1e5; i++) text(i % 10);
  assert.deepStrictEqual({ ...rows.next().value }, { a: text(7), b: '' });
  echo.get('only one'); // the other parameter is NULL again
  assert.strictEqual(echo.expandedSQL, "SELECT 'only one' AS a, NULL AS b");
  db.close();
}

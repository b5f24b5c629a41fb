// With the flag u or v a surrogate pair is one character: no match begins in the middle of one, and long matches over texts with pairs
// are answered like any other.
'use strict';
const assert = require('node:assert');

const letter = '\u{10428}';
const misses = [
  /\P{L}/u, /\P{L}/iu, /[\P{L}]/u, /[^\p{L}]/u, /[^\p{L}]/iu, /[^\p{L}]/v, /[\0-\u{103ff}]/u, /[\ud800-\udfff]/u, /a?[^\p{L}]/u, /(?:x|[^\p{L}])+/u,
  /(?!\p{L})./u, /(?:)[^\u{10428}]/u, /^[^\p{L}]/mu,
];
for (const expression of misses) {
  assert.strictEqual(expression.exec(letter), null, `${expression}`);
  assert.strictEqual(expression.exec(`${letter}${letter}`), null, `${expression}`);
}
assert.strictEqual(`x${letter}-${letter} y`.replace(/[^\p{L}]/gu, ''), `x${letter}${letter}y`);
assert.strictEqual(`${letter}!`.search(/[^\p{L}]/u), 2);
assert.strictEqual('\ud801!'.search(/[^\p{L}]/u), 0);
assert.deepStrictEqual(`a${letter}b`.split(/[^\p{L}]*/u), ['a', letter, 'b']);
assert.deepStrictEqual([...`${letter}1${letter}`.matchAll(/\P{L}/gu)].map(({ index }) => index), [2]);

// The engine's matchers never end on this one.
assert.strictEqual(/(((c){2}|(.?c){4}))/u.exec('\u{1f600}c'), null);
// More steps than the engine takes.
const long = `${'a'.repeat(24)}b\u{1f600}`;
assert.strictEqual(/^(?:(a+)+c|a+b)./u.exec(long)?.[0], long);
assert.strictEqual(/^(?:(a+)+c|a+b)./v.exec(long)?.[0], long);
// A character that the compiler looks at before the class it follows.
assert.strictEqual(/c+?(?:(b)\1)|\wB{1,}/su.exec('a\nBab'), null);
assert.strictEqual(/(x)\1|\wB+/su.exec('\u{1f600}aBb')?.index, 2);

// Lookbehinds whose alternatives have different lengths, at every place where a group may stand; the answers of `endsWith` for random ones.
'use strict';
const assert = require('node:assert');

const matches = [
  [/(?<=abc|x)d/, 'aaabcd'], [/(?<=x|abc)d/, 'abcd'], [/(?<=^abc|x)d/, 'abcd'], [/(?<=a.c|x)d/, 'abcd'], [/(?<=\babc|x)d/, 'abcd'],
  [/(?<=a{3}|x)d/, 'aaad'], [/(?<=(?!x)abc|x)d/, 'abcd'], [/(?<=abc|)d/, 'd'], [/(?<=[|)]b|x)d/, '|bd'], [/(?<=\|b|x)d/, '|bd'],
  [/(?<=(?<=zz|y)abc|x)d/, 'zzabcd'], [/(?<=[[a-c]&&[b]]bc|x)d/v, 'bbcd'], [/(?<=\u{1f600}b|x)d/u, '\u{1f600}bd'],
];
for (const [expression, text] of matches) assert.ok(expression.test(text), `${expression} matches ${text}`);
const misses = [[/(?<!abc|x)d/, 'abcd'], [/(?<!x|abc)d/, 'abcd'], [/(?<=abc|x)d/, 'bcd'], [/(?<!adding|lib)\.md$/, 'adding.md']];
for (const [expression, text] of misses) assert.ok(!expression.test(text), `${expression} does not match ${text}`);

// A repeated reference to a group that matched nothing ends.
assert.strictEqual(/((\n)|(\2+?) )/.exec('ab'), null);
assert.deepStrictEqual([...'a b'.match(/((\n)|(\2+?) )/)], [' ', ' ', undefined, '']);

// Groups keep their numbers and names, the expression its source.
const named = /(?<=(?<first>a)bc|(x))(d)/;
assert.strictEqual(named.source, '(?<=(?<first>a)bc|(x))(d)');
assert.deepStrictEqual([...named.exec('abcd')], ['d', 'a', undefined, 'd']);
assert.strictEqual(named.exec('abcd').groups.first, 'a');
assert.deepStrictEqual([...named.exec('xd')], ['d', undefined, 'x', 'd']);
assert.strictEqual('abcd xd yd'.replace(/(?<=abc|x)d/g, '!'), 'abc! x! yd');

// Texts that the parser refuses stay refused.
for (const source of ['(?<=abc|x', '(?<=abc|x))', '(?<=a|[b)']) assert.throws(() => new RegExp(source), SyntaxError);

let seed = 7;
const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
const word = (most) => Array.from({ length: random(most + 1) }, () => 'ab'[random(2)]).join('');
for (let round = 0; round < 3000; round++) {
  const alternatives = Array.from({ length: 2 + random(3) }, () => word(4));
  const text = word(8);
  const behind = new RegExp(`(?<=${alternatives.join('|')})$`);
  const notBehind = new RegExp(`(?<!${alternatives.join('|')})$`);
  const expected = alternatives.some((alternative) => text.endsWith(alternative));
  assert.strictEqual(behind.test(text), expected, `${behind} on ${text}`);
  assert.strictEqual(notBehind.test(text), !expected, `${notBehind} on ${text}`);
}

// Matches end with their script, and groups may be nested deeper than the thread's stack would bear.
const vm = require('node:vm');
const endless = "/(?<=x)(a+)+b$/.test('x' + 'a'.repeat(60))";
assert.throws(() => vm.runInNewContext(endless, {}, { timeout: 50 }), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
for (const depth of [499, 600, 20_000]) {
  try {
    new RegExp('('.repeat(depth) + '(?<=a)' + ')'.repeat(depth)).test('ab');
  } catch (error) {
    assert.strictEqual(error.name, 'SyntaxError');
  }
}

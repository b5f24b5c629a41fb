'use strict';
// Modifiers of groups, /(?ims-ims:…)/: where they reach, and how they mix with flags, classes, references, lookarounds and quantifiers.
const assert = require('node:assert');

// [pattern, flags, text, the match with its groups or null]: Node's answers.
const kCases = [
  ['a(?i:b)c', '', 'aBc', ['aBc']],
  ['a(?i:b)c', '', 'ABc', null],
  ['(?i:a|b)c', '', 'Bc', ['Bc']],
  ['(?i:a|b)c', '', 'BC', null],
  ['a(?-i:b)c', 'i', 'AbC', ['AbC']],
  ['a(?-i:b)c', 'i', 'ABC', null],
  ['(?i:(?-i:a)b)', '', 'aB', ['aB']],
  ['(?i:(?-i:a)b)', '', 'AB', null],
  ['(?i:[^x])', '', 'X', null],
  ['(?i:[^x])', '', 'y', ['y']],
  ['(?i:\\u{10428})', 'u', '\u{10400}', ['\u{10400}']],
  ['(?i:[a-z]+)9', '', 'xAbZ9', ['xAbZ9']],
  ['(?i:\\w)', 'u', '\u017f', ['\u017f']],
  ['(?i:\\w)', '', '\u017f', null],
  ['(?i:\\W)', 'u', '\u017f', null],
  ['(?i:\\W)', 'u', 's', null],
  ['(?i:k)', 'u', '\u212a', ['\u212a']],
  ['(?i:k)', '', '\u212a', null],
  ['(?i:\\p{Lu})', 'u', 'a', ['a']],
  ['(?i:\\P{Lu})', 'u', 'A', ['A']],
  ['(?-i:\\p{Lu})', 'iu', 'a', null],
  ['(?i:[^\\P{Lu}])', 'u', 'a', null],
  ['(a)(?i:\\1)', '', 'aA', ['aA', 'a']],
  ['(?i:(a))\\1', '', 'Aa', null],
  ['(?<n>a)(?i:\\k<n>)b', '', 'aAb', ['aAb', 'a']],
  ['(?i:a)\\b(?i:\u017f)', 'u', 'a\u017f', ['a\u017f']],
  ['a(?i:\\b)\u017f', 'u', 'a\u017f', null],
  ['a(?i:\\B)\u017f', 'u', 'a\u017f', ['a\u017f']],
  ['(?<=(?i:a))b', '', 'Ab', ['b']],
  ['(?<=(?i:ab|c)d)e', '', 'aBde', ['e']],
  ['(?!(?i:a)).', '', 'Ab', ['b']],
  ['(?i:ab){2}c', '', 'aBAbc', ['aBAbc']],
  ['(?i:ab)*?c', '', 'aBAbc', ['aBAbc']],
  ['(?:x(?i:y)|z)+', '', 'xYzxy', ['xYzxy']],
  ['(?s:.)', '', '\n', ['\n']],
  ['(?-s:.)', 's', '\n', null],
  ['.(?s:.).', '', 'a\nb', ['a\nb']],
  ['[.](?s:.)\\.', '', '.\n.', ['.\n.']],
  ['(?m:^)b', '', 'a\nb', ['b']],
  ['(?m:a$)', '', 'a\nb', ['a']],
  ['(?-m:^)b', 'm', 'a\nb', null],
  ['(?-m:a$)', 'm', 'a\nb', null],
  ['(?-m:b$)', 'm', 'a\nb', ['b']],
  ['(?m:^a$)\\n(?m-i:^B$)', 'i', 'A\nB', ['A\nB']],
  ['(?ims-:^A.$)', '', 'x\na\n', ['a\n']],
  ['(?m-i:^a$)', 'i', 'b\nA', null],
  ['[(?i:a)]', '', 'i', ['i']],
  ['\\(?i:a', '', 'i:a', ['i:a']],
  ['(?i:[[a-z]--[b]])c', 'v', 'Ac', ['Ac']],
  ['(?i:[[a-z]--[b]])c', 'v', 'Bc', null],
  ['(?i:é)', '', 'É', ['É']],
  ['(?i:ß)', 'u', 'ẞ', ['ẞ']],
  ['(?i:ß)', '', 'ẞ', null],
  ['(?i:)a', '', 'A', null],
  ['((?i:a)|b)+', '', 'AbA', ['AbA', 'A']],
];

for (const [source, flags, text, expected] of kCases) {
  const pattern = new RegExp(source, flags);
  const name = `/${source}/${flags} on ${JSON.stringify(text)}`;
  const found = pattern.exec(text);
  assert.deepStrictEqual(found && [...found], expected, name);
  assert.strictEqual(pattern.source, source);
  assert.strictEqual(pattern.flags, flags);
  // A text of sixteen bits is matched by other code.
  const wide = pattern.exec(`${text}\u{1f600}`.slice(0, text.length));
  assert.deepStrictEqual(wide && [...wide], expected, `${name}, wide`);
}

for (const source of ['(?ii:a)', '(?i-i:a)', '(?-:a)', '(?i-m-s:a)', '(?g:a)', '(?u:a)', '(?i', '(?i)', '(?i:a', '(?I:a)', '(?i-ii:a)', '(?-ii:a)'])
  assert.throws(() => new RegExp(source), SyntaxError, source);

// A literal is checked when its program is parsed, and compiled code keeps to it.
const literal = /^(?i:get|post) \/(?-i:x)$/i;
for (let i = 0; i < 20000; i++) assert.ok(literal.test('GeT /x') && !literal.test('get /X'));
assert.strictEqual('aBABab'.replace(/(?i:b)a?/g, '-'), 'a-A--');

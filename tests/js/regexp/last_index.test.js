'use strict';
// lastIndex where the engine's matchers would begin elsewhere: inside a surrogate pair (flags u and v), and with the flag y in replace().
const assert = require('node:assert');
const { test } = require('node:test');

const text = '\u{1F600}a\u{1F601}b';

function exec(pattern, flags, lastIndex, subject = text) {
  const expression = new RegExp(pattern, flags);
  expression.lastIndex = lastIndex;
  const match = expression.exec(subject);
  return match && [match.index, match[0], expression.lastIndex];
}

for (const flags of ['uy', 'vy', 'gu', 'gv', 'dguy']) {
  test(`flags ${flags}: a match from inside a pair begins at the pair`, () => {
    for (let round = 0; round < 200; round++) {
      assert.deepStrictEqual(exec('.', flags, 1), [0, '\u{1F600}', 2]);
      assert.deepStrictEqual(exec('[^x]', flags, 4), [3, '\u{1F601}', 5]);
      assert.deepStrictEqual(exec('', flags, 4), [3, '', 3]);
      assert.deepStrictEqual(exec('^', flags, 1), [0, '', 0]);
      assert.deepStrictEqual(exec('\\u{1F600}', flags, 1), [0, '\u{1F600}', 2]);
      assert.strictEqual(exec('\\ude00', flags, 1), null);
      // By the interpreter of expressions that compiled code gives up.
      assert.deepStrictEqual(exec('(?<=a)(.)|(.)', flags, 4), [3, '\u{1F601}', 5]);
      // Halves that are no pair stay where they are.
      assert.deepStrictEqual(exec('.', flags, 1, '\ude00\ude00'), [1, '\ude00', 2]);
    }
  });
}

test('without u or v a half is a character', () => {
  assert.deepStrictEqual(exec('.', 'y', 1), [1, '\ude00', 2]);
  assert.deepStrictEqual(exec('.', 'g', 4), [4, '\ude01', 5]);
});

test('steps over empty matches end, and stay outside of pairs', () => {
  for (const flags of ['gu', 'gv', 'guy']) {
    assert.strictEqual(text.replace(new RegExp('', flags), '-'), '-\u{1F600}-a-\u{1F601}-b-');
    assert.deepStrictEqual([...text.matchAll(new RegExp('', flags))].map((match) => match.index), [0, 2, 3, 5, 6]);
  }
  assert.deepStrictEqual(text.split(/(?:)/u), ['\u{1F600}', 'a', '\u{1F601}', 'b']);
});

test('replace() with the flag y begins at lastIndex and moves it', () => {
  function replaceAt(expression, lastIndex, replacement) {
    expression.lastIndex = lastIndex;
    return ['baab'.replace(expression, replacement), expression.lastIndex];
  }
  for (let round = 0; round < 20_000; round++) {
    assert.deepStrictEqual(replaceAt(/a/y, 2, '<$&>'), ['ba<a>b', 3]);
    assert.deepStrictEqual(replaceAt(/a/y, 2, ''), ['bab', 3]);
    assert.deepStrictEqual(replaceAt(/a/y, 2, (match) => match + match), ['baaab', 3]);
    assert.deepStrictEqual(replaceAt(/a/y, 3, 'x'), ['baab', 0]);
    if (round > 100) round += 50;
  }
});

// References to groups that are not there: characters without u and v, an error with them; groups that capture nothing do not count. An
// empty match steps over one code unit without u, in compiled code too.
'use strict';
const assert = require('node:assert');

assert.ok(/^(?:a)\1$/.test('a\x01'));
assert.ok(/^(?:a)\8$/.test('a8'));
assert.ok(/^(?:(a))\2$/.test('a\x02'));
assert.ok(/^[\1](a)\1$/.test('\x01aa'));
assert.ok(/^(?:a)\12$/.test('a\n'));
assert.ok(/^(?:a)\400$/.test('a\x200'));
assert.ok(/^(?:(?<n>a))\1\k<n>$/.test('aaa'));
for (const source of ['(?:\\1)', '(?:\\2)()', '()(?:\\2)', '(?:a)(?=\\1)']) {
  for (const flags of ['u', 'v']) {
    assert.throws(() => new RegExp(source, flags), SyntaxError, source);
    assert.throws(() => new Function(`return /${source}/${flags}`), SyntaxError, source);
  }
}
assert.ok(/^()(?:a)\1$/u.test('a'));

const replaced = (text) => [text.replace(/(?:)/g, '-'), text.replace(/x*/g, ''), text.replaceAll(/x*/g, (match) => `${match}.`)];
for (let i = 0; i < 20_000; i++) {
  const [dashes, nothing, dots] = replaced('😀');
  if (dashes === '-\ud83d-\ude00-' && nothing === '😀' && dots === '.\ud83d.\ude00.') continue;
  assert.fail(JSON.stringify([i, dashes, nothing, dots]));
}
assert.strictEqual('😀'.replace(/(?:)/gu, '-'), '-😀-');
assert.strictEqual([...'a😀'.matchAll(/(?:)/gv)].length, 3);

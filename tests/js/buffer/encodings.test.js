// Every encoding of Buffer both ways, at lengths around the block sizes of the native code.
'use strict';
const assert = require('node:assert');

const samples = ['', 'a', 'héllo wörld', '✓ à la mode', '\u{1f600}\u{10ffff}', 'x'.repeat(100), 'é'.repeat(33), '日本語'.repeat(20)];
for (const text of samples) {
  for (const encoding of ['utf8', 'utf-8', 'UTF8', 'utf16le', 'ucs2', 'UCS-2']) {
    assert.strictEqual(Buffer.from(text, encoding).toString(encoding), text);
  }
  const bytes = Buffer.from(text);
  assert.strictEqual(Buffer.byteLength(text), bytes.length);
  for (const encoding of ['hex', 'base64', 'base64url', 'latin1', 'binary']) {
    assert.deepStrictEqual(Buffer.from(bytes.toString(encoding), encoding), bytes);
  }
}
for (let length = 0; length < 80; length++) {
  const bytes = Buffer.from(Array.from({ length }, (_, i) => (i * 37 + length) & 255));
  assert.deepStrictEqual(Buffer.from(bytes.toString('base64'), 'base64'), bytes);
  assert.strictEqual(Buffer.from(bytes.toString('hex'), 'hex').compare(bytes), 0);
}

// Invalid input: the Encoding Standard's replacement, lone surrogates, lenient base64, hex that stops.
assert.strictEqual(Buffer.from([0x61, 0xff, 0x62, 0xe2, 0x9c]).toString(), 'a\ufffdb\ufffd');
assert.deepStrictEqual(Buffer.from('\ud800x'), Buffer.from([0xef, 0xbf, 0xbd, 0x78]));
assert.strictEqual(Buffer.from('YW Jj\n=ZZ', 'base64').toString(), 'abc');
assert.deepStrictEqual(Buffer.from('abcxyz', 'hex'), Buffer.from([0xab]));
assert.strictEqual(Buffer.from('ÿĀ', 'ascii')[1], 0);
assert.strictEqual(Buffer.from([0xe9]).toString('ascii'), 'i');
assert.throws(() => Buffer.from('a', 'nope'), { code: 'ERR_UNKNOWN_ENCODING', message: 'Unknown encoding: nope' });
assert.strictEqual(Buffer.from('✓').write('é', 2), 0, 'no part of a character is written');

const { transcode, isUtf8, isAscii } = require('node:buffer');
assert.deepStrictEqual(transcode(Buffer.from('€'), 'utf8', 'latin1'), Buffer.from('?'));
assert.strictEqual(isUtf8(Buffer.from('é')), true);
assert.strictEqual(isUtf8(Buffer.from([0xc3])), false);
assert.strictEqual(isAscii(Buffer.from('abc')), true);

// StringDecoder: any cut of the bytes gives the same text.
'use strict';

const assert = require('assert');
const { StringDecoder } = require('string_decoder');

const text = 'a\u00e9\u20ac\u{1f600}z';
for (const encoding of ['utf8', 'utf16le', 'base64', 'base64url', 'hex', 'latin1']) {
  const bytes = Buffer.from(text, encoding === 'utf16le' ? 'utf16le' : 'utf8');
  for (let size = 1; size <= 5; size++) {
    const decoder = new StringDecoder(encoding);
    let out = '';
    for (let at = 0; at < bytes.length; at += size) out += decoder.write(bytes.subarray(at, at + size));
    out += decoder.end();
    assert.strictEqual(out, bytes.toString(encoding), `${encoding} by ${size}`);
  }
}
const decoder = new StringDecoder();
assert.strictEqual(decoder.write(Buffer.from([0xe2, 0x82])), '');
assert.strictEqual(decoder.lastNeed, 1);
assert.strictEqual(decoder.end(), '\ufffd');
assert.strictEqual(new StringDecoder().end(Buffer.from([0xe0, 0x80])), '\ufffd\ufffd');
assert.throws(() => new StringDecoder('nope'), { code: 'ERR_UNKNOWN_ENCODING' });
assert.throws(() => new StringDecoder().write(1), { code: 'ERR_INVALID_ARG_TYPE' });

// Bytes that no character can have are told when Node tells them: after as many as the first byte announces.
function pieces(encoding, ...parts) {
  const decoder = new StringDecoder(encoding);
  return [...parts.map((part) => decoder.write(Buffer.from(part))), decoder.end()];
}
assert.deepStrictEqual(pieces('utf8', [0xed, 0xa0], [0x80, 0x41]), ['', '\ufffd\ufffd\ufffdA', '']);
assert.deepStrictEqual(pieces('utf8', [0xc0], [0x41]), ['', '\ufffdA', '']);
assert.deepStrictEqual(pieces('utf8', [0xf8], [0x41]), ['\ufffd', 'A', '']);
// A high surrogate before half a unit is not held back; one at the end is, with half of the next.
assert.deepStrictEqual(pieces('utf16le', [0x3d, 0xd8, 0x00], [0xde]), ['\ud83d', '\ude00', '']);
assert.deepStrictEqual(pieces('utf16le', [0x3d, 0xd8], [0x00], [0xde]), ['', '', '\u{1F600}', '']);

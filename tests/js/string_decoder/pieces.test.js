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

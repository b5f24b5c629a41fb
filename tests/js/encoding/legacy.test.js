// Legacy encodings where the Encoding Standard is not what the engine's Unicode library says.
'use strict';
const assert = require('node:assert');

const decode = (encoding, bytes, options) => new TextDecoder(encoding, options).decode(Uint8Array.from(bytes));

// Single bytes.
assert.strictEqual(decode('iso-8859-16', [0x41, 0xa1, 0xa4, 0xfe]), 'A\u0104\u20ac\u021b');
assert.strictEqual(decode('koi8-u', [0xae, 0xbe]), '\u045e\u040e');
assert.strictEqual(decode('windows-1255', [0xca]), '\u05ba');
assert.strictEqual(decode('ibm866', [0x1a, 0x1c, 0x7f]), '\x1a\x1c\x7f');
for (const [encoding, byte] of [['windows-874', 0xdb], ['windows-874', 0xff], ['windows-1253', 0xaa]]) {
  assert.strictEqual(decode(encoding, [byte]), '\ufffd');
  assert.throws(() => decode(encoding, [byte], { fatal: true }), { code: 'ERR_ENCODING_INVALID_ENCODED_DATA' });
}

// gb18030, the edition of 2022, for both labels.
for (const encoding of ['gbk', 'gb18030']) {
  assert.strictEqual(decode(encoding, [0xa6, 0xd9, 0xfe, 0x59, 0xa3, 0xa0, 0x80]), '\ufe10\u9fb4\u3000\u20ac');
  assert.strictEqual(decode(encoding, [0x81, 0x35, 0xf4, 0x36, 0x81, 0x35, 0xf4, 0x37, 0x90, 0x30, 0x81, 0x30]), '\u1e3e\ue7c7\u{10000}');
  assert.strictEqual(decode(encoding, [0x81, 0x30, 0xfe, 0x29]), '\ufffd0\ufffd)');
  assert.strictEqual(decode(encoding, [0x84, 0x31, 0xa5, 0x30]), '\ufffd');
  const parts = new TextDecoder(encoding);
  const text = [0x90, 0x30, 0x81, 0x30].map((byte) => parts.decode(Uint8Array.of(byte), { stream: true })).join('') + parts.decode();
  assert.strictEqual(text, '\u{10000}');
  assert.throws(() => decode(encoding, [0x81], { fatal: true }), { code: 'ERR_ENCODING_INVALID_ENCODED_DATA' });
}

// What is wrong becomes U+FFFD in every encoding, and half a character is one error.
assert.strictEqual(decode('shift_jis', [0x81, 0x3a]), '\ufffd:');
assert.strictEqual(decode('utf-16le', [0x00, 0xd8, 0x00]), '\ufffd');
assert.strictEqual(decode('utf-16be', [0xd8, 0x00, 0xd8]), '\ufffd');

// An escape of iso-2022-jp outlives an error in a stream.
const escaped = new TextDecoder('iso-2022-jp', { fatal: true });
assert.throws(() => escaped.decode(Uint8Array.of(0x1b, 0x28, 0x4a, 0xff), { stream: true }), { code: 'ERR_ENCODING_INVALID_ENCODED_DATA' });
assert.strictEqual(escaped.decode(Uint8Array.of(0x7e)), '\u203e');

(async () => {
  const parts = [];
  for await (const part of new Blob(['gr\u00fc', '\u00dfe']).textStream()) parts.push(part);
  assert.strictEqual(parts.join(''), 'gr\u00fc\u00dfe');
})();

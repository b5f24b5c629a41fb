// TextEncoder and TextDecoder: chunks cut anywhere, byte order marks, fatal mode, legacy encodings, atob and btoa.
'use strict';
const assert = require('node:assert');

const text = '\ufeffaé✓\u{1f600}z';
for (const [label, bytes] of [
  ['utf-8', new TextEncoder().encode(text)],
  ['utf-16le', new Uint8Array(Buffer.from(text, 'utf16le'))],
  ['utf-16be', new Uint8Array(Buffer.from(text, 'utf16le').swap16())],
]) {
  for (let size = 1; size < 6; size++) {
    const decoder = new TextDecoder(label);
    let out = '';
    for (let i = 0; i < bytes.length; i += size) out += decoder.decode(bytes.subarray(i, i + size), { stream: true });
    assert.strictEqual(out + decoder.decode(), text.slice(1), `${label} in chunks of ${size}`);
  }
  assert.strictEqual(new TextDecoder(label, { ignoreBOM: true }).decode(bytes), text);
}
assert.throws(() => new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.of(0xff)), {
  name: 'TypeError', code: 'ERR_ENCODING_INVALID_ENCODED_DATA',
});
assert.throws(() => new TextDecoder('nope'), { name: 'RangeError', code: 'ERR_ENCODING_NOT_SUPPORTED' });
assert.strictEqual(new TextDecoder('latin1').decode(Uint8Array.of(0x80, 0xe9)), '€é');
assert.strictEqual(new TextDecoder('gbk').decode(Uint8Array.of(0xc4, 0xe3)), '你');
assert.strictEqual(new TextDecoder('shift_jis').decode(Uint8Array.of(0x82, 0xa0)), 'あ');
assert.deepStrictEqual(new TextEncoder().encodeInto('aé✓', new Uint8Array(4)), { read: 2, written: 3 });

assert.strictEqual(atob(' YQ == '), 'a');
assert.strictEqual(btoa('ÿ'), '/w==');
assert.throws(() => btoa('✓'), { name: 'InvalidCharacterError', code: 5 });
assert.throws(() => atob('a'), { name: 'InvalidCharacterError' });

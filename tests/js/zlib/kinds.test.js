// Every kind of node:zlib, on the spot, on the pool, with promises and as a stream, gives back what went in; the streams of other
// programs are read.
'use strict';
const assert = require('node:assert');
const zlib = require('node:zlib');
const { promisify } = require('node:util');
const { Readable } = require('node:stream');
const { buffer } = require('node:stream/consumers');

const kinds = [['deflate', 'inflate'], ['deflate', 'unzip'], ['gzip', 'gunzip'], ['gzip', 'unzip'], ['deflateRaw', 'inflateRaw'],
               ['brotliCompress', 'brotliDecompress'], ['zstdCompress', 'zstdDecompress']];
const createName = (name) => `create${name[0].toUpperCase()}${name.slice(1)}`;
const noise = require('node:crypto').randomBytes(200_000);
const inputs = [Buffer.alloc(0), Buffer.from('x'), Buffer.from('Rondo, rondo, rondo. '.repeat(20_000)), noise];

(async () => {
  for (const [pack, unpack] of kinds) {
    for (const input of inputs) {
      for (const options of [undefined, { chunkSize: 64 }, { chunkSize: 100_000 }]) {
        const packed = zlib[`${pack}Sync`](input, options);
        assert.ok(Buffer.isBuffer(packed));
        assert.deepStrictEqual(zlib[`${unpack}Sync`](packed, options), input, `${pack} ${input.length}`);
      }
      const later = await promisify(zlib[unpack])(await promisify(zlib[pack])(input));
      assert.deepStrictEqual(later, input);
      const pieces = [];
      for (let i = 0; i < input.length; i += 30_000) pieces.push(input.subarray(i, i + 30_000));
      const streamed = Readable.from(pieces).pipe(zlib[createName(pack)]()).pipe(zlib[createName(unpack)]());
      assert.deepStrictEqual(await buffer(streamed), input, `stream of ${pack}`);
    }
    // Other forms of the same bytes.
    const { buffer: memory } = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]);
    for (const form of [memory, new DataView(memory), new Uint32Array(memory), new SharedArrayBuffer(8)]) {
      const bytes = zlib[`${unpack}Sync`](zlib[`${pack}Sync`](form));
      assert.strictEqual(bytes.length, 8);
      assert.strictEqual(bytes[7], form instanceof SharedArrayBuffer ? 0 : 8);
    }
  }
  // Written by others.
  for (const [name, bytes] of [['gunzipSync', '1f8b0800000000000003cb48cdc9c95728cf2fca49e102002d3b08af0c000000'], ['brotliDecompressSync', '8b058068656c6c6f20776f726c640a03'],
                               ['zstdDecompressSync', '28b52ffd200c61000068656c6c6f20776f726c640a']]) {
    assert.strictEqual(zlib[name](Buffer.from(bytes, 'hex')).toString(), 'hello world\n', name);
  }
  assert.strictEqual(zlib.crc32('hello'), 0x3610a686);
  assert.strictEqual(zlib.crc32(Buffer.from('lo'), zlib.crc32('hel')), 0x3610a686);
  assert.throws(() => zlib.crc32(1), { code: 'ERR_INVALID_ARG_TYPE' });
  console.log('ok');
})();

// Zstandard data of several frames, skippable ones among them: every frame is read, however the input is cut; what is no frame ends the data.
'use strict';
const assert = require('node:assert');
const zlib = require('node:zlib');
const { buffer } = require('node:stream/consumers');

const abc = zlib.zstdCompressSync('abc');
const def = zlib.zstdCompressSync('def');
const skippable = Buffer.from('502a4d18020000000102', 'hex');
const several = Buffer.concat([abc, skippable, def, def]);

const stream = async (pieces, options) => {
  const decompress = zlib.createZstdDecompress(options);
  for (const piece of pieces) decompress.write(piece);
  decompress.end();
  return [(await buffer(decompress)).toString(), decompress.bytesWritten];
};

(async () => {
  assert.strictEqual(zlib.zstdDecompressSync(several).toString(), 'abcdefdef');
  assert.strictEqual(zlib.zstdDecompressSync(Buffer.concat([skippable, abc])).toString(), 'abc');
  assert.strictEqual((await require('node:util').promisify(zlib.zstdDecompress)(several)).toString(), 'abcdefdef');
  for (let at = 0; at <= several.length; at++) {
    const cut = [several.subarray(0, at), several.subarray(at)];
    assert.deepStrictEqual(await stream(cut), ['abcdefdef', several.length], `cut at ${at}`);
  }
  assert.deepStrictEqual(await stream([...several].map((byte) => Buffer.from([byte]))), ['abcdefdef', several.length]);
  // More than one chunk of output in each frame.
  const long = zlib.zstdCompressSync(Buffer.alloc(100_000, 'x'));
  assert.strictEqual(zlib.zstdDecompressSync(Buffer.concat([long, long, long]), { chunkSize: 64 }).length, 300_000);
  // Rubbish after a frame, in the same piece or the next one, is not read; a frame that is cut off is an error.
  for (const rubbish of ['junkjunk', '\0\0\0\0\0', '(', 'P']) {
    assert.strictEqual(zlib.zstdDecompressSync(Buffer.concat([abc, Buffer.from(rubbish)])).toString(), 'abc', rubbish);
  }
  assert.deepStrictEqual(await stream([abc, Buffer.from('junk')]), ['abc', abc.length]);
  await assert.rejects(stream([abc, Buffer.from('junk')], { rejectGarbageAfterEnd: true }), { code: 'ERR_TRAILING_JUNK_AFTER_STREAM_END' });
  assert.throws(() => zlib.zstdDecompressSync(several.subarray(0, -1)), { code: 'Z_BUF_ERROR' });
})();

// Errors have Node's code and errno; a decompression bomb ends at maxOutputLength; members, garbage and truncated data.
'use strict';
const assert = require('node:assert');
const zlib = require('node:zlib');
const { promisify } = require('node:util');

const bad = [
  ['gunzip', 'abc', { code: 'Z_DATA_ERROR', errno: -3, message: 'incorrect header check' }],
  ['inflate', zlib.deflateSync('aaaa').subarray(0, 8), { code: 'Z_BUF_ERROR', errno: -5, message: 'unexpected end of file' }],
  ['inflate', zlib.deflateSync('a', { dictionary: Buffer.from('abc') }), { code: 'Z_NEED_DICT', errno: 2, message: 'Missing dictionary' }],
  ['brotliDecompress', 'abcdef', { code: 'ERR__ERROR_FORMAT_PADDING_1', errno: -14, message: 'Decompression failed' }],
  ['brotliDecompress', zlib.brotliCompressSync('a').subarray(0, 2), { code: 'Z_BUF_ERROR', errno: -5 }],
  ['zstdDecompress', 'abcdefgh', { code: 'ZSTD_error_prefix_unknown', errno: 10, message: 'Unknown frame descriptor' }],
  ['zstdDecompress', zlib.zstdCompressSync('abcdefgh').subarray(0, 10), { code: 'Z_BUF_ERROR', errno: -5 }],
];
const bomb = Buffer.alloc(30_000_000);
const bombs = [['gzip', 'gunzip'], ['deflateRaw', 'inflateRaw'], ['brotliCompress', 'brotliDecompress'], ['zstdCompress', 'zstdDecompress']];

(async () => {
  for (const [name, data, expected] of bad) {
    assert.throws(() => zlib[`${name}Sync`](data), expected, name);
    await assert.rejects(promisify(zlib[name])(data), expected, name);
    await assert.rejects(new Promise((resolve, reject) => {
      zlib[`create${name[0].toUpperCase()}${name.slice(1)}`]().on('error', reject).on('end', resolve).resume().end(data);
    }), expected, name);
  }
  for (const [pack, unpack] of bombs) {
    const packed = zlib[`${pack}Sync`](bomb, pack === 'brotliCompress' ? { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 3 } } : {});
    const options = { maxOutputLength: 1_000_000 };
    const expected = { code: 'ERR_BUFFER_TOO_LARGE', message: 'Cannot create a Buffer larger than 1000000 bytes', name: 'RangeError' };
    const before = process.memoryUsage().rss;
    assert.throws(() => zlib[`${unpack}Sync`](packed, options), expected);
    await assert.rejects(promisify(zlib[unpack])(packed, options), expected);
    assert.ok(process.memoryUsage().rss - before < 20_000_000, 'no more than the limit is ever held');
    assert.strictEqual(zlib[`${unpack}Sync`](packed, { maxOutputLength: bomb.length }).length, bomb.length);
  }

  const two = Buffer.concat([zlib.gzipSync('abc'), zlib.gzipSync('def')]);
  assert.strictEqual(zlib.gunzipSync(two).toString(), 'abcdef');
  assert.strictEqual(zlib.unzipSync(Buffer.concat([two, Buffer.alloc(9)])).toString(), 'abcdef');
  assert.throws(() => zlib.gunzipSync(Buffer.concat([two, Buffer.from('junk!')])), { code: 'Z_DATA_ERROR' });
  const junk = { code: 'ERR_TRAILING_JUNK_AFTER_STREAM_END', name: 'TypeError' };
  assert.throws(() => zlib.gunzipSync(two, { rejectGarbageAfterEnd: true }), junk);
  await assert.rejects(promisify(zlib.gunzip)(two, { rejectGarbageAfterEnd: true }), junk);
  // Members of which each byte comes alone.
  const parts = [];
  const unzip = zlib.createUnzip().on('data', (part) => parts.push(part));
  for (const byte of two) unzip.write(Buffer.from([byte]));
  await new Promise((done) => unzip.on('end', done).end());
  assert.strictEqual(Buffer.concat(parts).toString(), 'abcdef');
  // What is there of data that ends too early.
  const cut = zlib.gzipSync('x'.repeat(1000)).subarray(0, -10);
  assert.match(zlib.gunzipSync(cut, { finishFlush: zlib.constants.Z_SYNC_FLUSH }).toString(), /^x+$/);

  const wrong = [[() => zlib.gzipSync(5), 'ERR_INVALID_ARG_TYPE'], [() => zlib.gzip('a'), 'ERR_INVALID_ARG_TYPE'],
                 [() => zlib.gzip(5, () => {}), 'ERR_INVALID_ARG_TYPE'], [() => zlib.createGzip({ chunkSize: 3 }), 'ERR_OUT_OF_RANGE'],
                 [() => zlib.createGzip({ windowBits: 8 }), 'ERR_OUT_OF_RANGE'], [() => zlib.createGzip({ level: 10 }), 'ERR_OUT_OF_RANGE'],
                 [() => zlib.createGzip({ flush: 9 }), 'ERR_OUT_OF_RANGE'], [() => zlib.createGzip({ dictionary: 5 }), 'ERR_INVALID_ARG_TYPE'],
                 [() => zlib.createBrotliCompress({ params: { 99: 1 } }), 'ERR_BROTLI_INVALID_PARAM'],
                 [() => zlib.createBrotliCompress({ dictionary: Buffer.from('x') }), 'ERR_ZLIB_INITIALIZATION_FAILED'],
                 [() => zlib.createZstdCompress({ params: { 999: 1 } }), 'ERR_ZSTD_INVALID_PARAM'],
                 [() => zlib.createZstdCompress({ pledgedSrcSize: -1 }), 'ERR_OUT_OF_RANGE'],
                 [() => zlib.zstdCompressSync('abc', { pledgedSrcSize: 2 }), 'ZSTD_error_srcSize_wrong']];
  for (const [run, code] of wrong) assert.throws(run, { code });
  console.log('ok');
})();

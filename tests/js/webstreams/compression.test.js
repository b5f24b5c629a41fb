// CompressionStream and DecompressionStream: formats, chunks that are none, bad data, and what comes after its end.
'use strict';
const assert = require('node:assert');
const zlib = require('node:zlib');

const unpackers = { 'deflate': 'inflateSync', 'deflate-raw': 'inflateRawSync', 'gzip': 'gunzipSync', 'brotli': 'brotliDecompressSync' };
const packers = { 'deflate': 'deflateSync', 'deflate-raw': 'deflateRawSync', 'gzip': 'gzipSync', 'brotli': 'brotliCompressSync' };
const through = async (chunks, stream) => Buffer.from(await new Response(new Blob(chunks).stream().pipeThrough(stream)).arrayBuffer());

(async () => {
  const text = Buffer.from('Rondo '.repeat(50_000));
  for (const format of Object.keys(unpackers)) {
    const packed = await through([text], new CompressionStream(format));
    assert.ok(packed.length < text.length / 10);
    assert.deepStrictEqual(zlib[unpackers[format]](packed), text);
    assert.deepStrictEqual(await through([packed.subarray(0, 10), packed.subarray(10)], new DecompressionStream(format)), text);
    const good = zlib[packers[format]]('a');
    const junk = format === 'deflate-raw' ? [good, good] : [good, 'x'];
    for (const bad of [junk, [good.subarray(0, -1)], ['\xff\xff\xff\xff']]) {
      await assert.rejects(through(bad, new DecompressionStream(format)), TypeError, `${format} ${bad}`);
    }
  }
  assert.throws(() => new CompressionStream('zip'), TypeError);
  assert.throws(() => new DecompressionStream(), TypeError);
  for (const chunk of [5, {}, null, new Uint8Array(new SharedArrayBuffer(4))]) {
    const stream = new CompressionStream('gzip');
    const writing = stream.writable.getWriter().write(chunk);
    const reading = stream.readable.getReader().read();
    await assert.rejects(writing, TypeError);
    await assert.rejects(reading, TypeError);
  }
  const strings = new CompressionStream('gzip'); // are taken as UTF-8, as Node does
  const writer = strings.writable.getWriter();
  const packed = new Response(strings.readable).arrayBuffer();
  await Promise.all([writer.write('te'), writer.write('xt'), writer.close()]);
  assert.strictEqual(String(zlib.gunzipSync(await packed)), 'text');
  assert.strictEqual(Object.prototype.toString.call(new CompressionStream('gzip')), '[object CompressionStream]');
  assert.strictEqual(require('node:stream/web').DecompressionStream, DecompressionStream);
  console.log('ok');
})();

// Compressed answers are decompressed; a broken one fails; one that is cut off, too.
'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const zlib = require('node:zlib');
const { plainServer, reply } = require('../../fixtures/plain_server.js');

const text = 'compressed text '.repeat(10_000);
const packed = {
  gzip: zlib.gzipSync(text), deflate: zlib.deflateSync(text), br: zlib.brotliCompressSync(text), zstd: zlib.zstdCompressSync(text),
};

test('compressed answers', async () => {
  const server = await plainServer((request, socket) => {
    const [, kind, how] = request.path.split('/');
    let body = kind === 'raw' ? zlib.deflateRawSync(text) : kind === 'both' ? zlib.brotliCompressSync(packed.gzip) : packed[kind];
    if (how === 'broken') body = Buffer.concat([body.subarray(0, 20), Buffer.alloc(40, 0xff)]);
    reply(socket, 200, { 'Content-Encoding': kind === 'raw' ? 'deflate' : kind === 'both' ? 'gzip, br' : kind }, body);
  });
  for (const kind of ['gzip', 'deflate', 'raw', 'br', 'zstd', 'both']) {
    const response = await fetch(`${server.url}/${kind}`);
    assert.strictEqual(await response.text(), text, kind);
  }
  await assert.rejects(async () => (await fetch(`${server.url}/gzip/broken`)).text(), { name: 'TypeError', message: 'terminated' });
  server.close();
});

// Answers that unpack to a thousand times what was sent. A body that nobody reads, or that is read by and by, is unpacked as far as its
// buffers reach and no further; the one who takes it in pieces never holds it whole; too many codings are refused.
'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const zlib = require('node:zlib');
const { plainServer, reply } = require('../../fixtures/plain_server.js');

const kUnpacked = 160 * 1024 * 1024;
const kAllowed = 48 * 1024 * 1024;    // garbage that waits for its collection included
const zeros = Buffer.alloc(1024 * 1024);

// The packed bytes of so many zeros, without ever having them all.
async function packed(stream) {
  const parts = [];
  stream.on('data', (part) => parts.push(part));
  for (let done = 0; done < kUnpacked; done += zeros.length) {
    if (!stream.write(zeros)) await new Promise((resolve) => { stream.once('drain', resolve); });
  }
  await new Promise((resolve) => { stream.on('end', resolve).end(); });
  return Buffer.concat(parts);
}

async function bombs() {
  return {
    gzip: await packed(zlib.createGzip({ level: 1 })),
    br: await packed(zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })),
    zstd: await packed(zlib.createZstdCompress()),
  };
}

// Until `value()` has been the same for a while of turns: nothing is unpacked any more.
async function settles(value) {
  for (let same = 0, last = -1; same < 200;) {
    await new Promise((resolve) => { setImmediate(resolve); });
    const now = value();
    same = now === last ? same + 1 : 0;
    last = now;
  }
}

// Unpacked pieces are Buffers; what the allocators of this or that build keep of freed ones does not count.
const held = () => process.memoryUsage().external;

test('what nobody reads is not unpacked, and what is read is not gathered', { timeout: 60_000 }, async (t) => {
  const bodies = await bombs();
  const server = await plainServer((request, socket) => {
    const coding = request.path.slice(1);
    reply(socket, 200, { 'Content-Encoding': coding }, bodies[coding.split(',')[0]]);
  });
  t.after(() => server.close());
  for (const coding of ['gzip', 'br', 'zstd']) {
    const before = held();
    const response = await fetch(`${server.url}/${coding}`);
    await settles(held);
    assert.ok(held() - before < kAllowed, `${coding}, unread: ${held() - before}`);

    let got = 0;
    let most = 0;
    for await (const piece of response.body) {
      if (got === 0) await settles(held);    // a reader that takes its time
      got += piece.length;
      most = Math.max(most, held() - before);
    }
    assert.strictEqual(got, kUnpacked, coding);
    assert.ok(most < 2 * kAllowed, `${coding}, in pieces: ${most}`);
  }

  const given = await fetch(`${server.url}/gzip`);
  const reader = given.body.getReader();
  assert.ok((await reader.read()).value.length < kAllowed);
  await reader.cancel();
  assert.deepStrictEqual(await reader.read(), { done: true, value: undefined });

  await assert.rejects(fetch(`${server.url}/gzip,gzip,gzip,gzip,gzip,gzip`), (error) => /too many content-encodings/.test(error.cause.message));
});

// A stream's flush, params, reset, close and counts; a slow reader holds the pool's work back; ending at any moment.
'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const { AsyncLocalStorage } = require('node:async_hooks');
const { once } = require('node:events');
const zlib = require('node:zlib');

(async () => {
  // flush() brings out what has been written so far.
  for (const [create, undo] of [['createGzip', 'createGunzip'], ['createBrotliCompress', 'createBrotliDecompress'], ['createZstdCompress', 'createZstdDecompress']]) {
    const packing = zlib[create]();
    const unpacking = zlib[undo]();
    packing.pipe(unpacking);
    packing.write('first');
    packing.flush();
    assert.strictEqual((await once(unpacking, 'data'))[0].toString(), 'first', create);
    packing.end('second');
    assert.strictEqual((await once(unpacking, 'data'))[0].toString(), 'second');
    await once(unpacking, 'end');
    assert.strictEqual(packing.bytesWritten, 11);
  }

  // params() holds for what comes after it.
  const changing = zlib.createDeflate({ level: 9 });
  const out = [];
  changing.on('data', (part) => out.push(part));
  changing.write('a'.repeat(1000));
  await new Promise((done) => changing.params(0, zlib.constants.Z_DEFAULT_STRATEGY, done));
  const before = Buffer.concat(out).length;
  changing.end('a'.repeat(1000));
  await once(changing, 'end');
  assert.ok(before < 100 && Buffer.concat(out).length - before > 1000);
  assert.strictEqual(zlib.inflateSync(Buffer.concat(out)).length, 2000);

  // reset() begins anew, but not under the work.
  const again = zlib.createGunzip();
  again.write(zlib.gzipSync('one').subarray(0, 10));
  assert.throws(() => again.reset(), /Cannot reset zlib stream while a write is in progress/);
  await new Promise((done) => again.flush(done));
  again.reset();
  again.end(zlib.gzipSync('two'));
  assert.strictEqual((await once(again, 'data'))[0].toString(), 'two');

  // Dictionaries.
  const dictionary = Buffer.from('the quick brown fox jumps over the lazy dog');
  for (const [pack, unpack] of [['deflate', 'inflate'], ['deflateRaw', 'inflateRaw'], ['zstdCompress', 'zstdDecompress']]) {
    const packed = zlib[`${pack}Sync`](dictionary, { dictionary });
    assert.ok(packed.length < zlib[`${pack}Sync`](dictionary).length, pack);
    assert.deepStrictEqual(zlib[`${unpack}Sync`](packed, { dictionary }), dictionary);
  }
  assert.throws(() => zlib.inflateSync(zlib.deflateSync('x', { dictionary }), { dictionary: Buffer.from('no') }), { message: 'Bad dictionary' });

  // { info: true }
  const { buffer, engine } = zlib.gzipSync('abc', { info: true });
  assert.ok(engine instanceof zlib.Gzip && zlib.gunzipSync(buffer).toString() === 'abc');
  assert.strictEqual(engine.bytesWritten, 3);

  // Nobody reads: the bomb is unpacked only as far as the high-water mark reaches.
  const bomb = zlib.gzipSync(Buffer.alloc(50_000_000));
  const unread = zlib.createGunzip();
  unread.end(bomb);
  while (unread.readableLength < unread.readableHighWaterMark) await new Promise(setImmediate);
  for (let i = 0; i < 100; i++) await new Promise(setImmediate);
  assert.ok(unread.readableLength <= unread.readableHighWaterMark + 16384, `${unread.readableLength}`);
  unread.destroy();
  await once(unread, 'close');

  // close() under the work, and writing afterwards.
  const closing = zlib.createGzip();
  closing.write(Buffer.alloc(1_000_000));
  await new Promise((done) => closing.close(() => done()));
  await new Promise((done) => closing.write('x', (error) => { assert.strictEqual(error.code, 'ERR_STREAM_DESTROYED'); done(); }));
  assert.throws(() => closing.reset(), { code: 'ERR_INTERNAL_ASSERTION' });

  // The context in which a stream was made is the one of its events; of a callback, the one of the call.
  const storage = new AsyncLocalStorage();
  const inContext = storage.run('made', () => zlib.createGzip());
  inContext.on('data', () => {});
  const seen = new Promise((done) => inContext.on('end', () => done(storage.getStore())));
  storage.run('written', () => inContext.end('x'));
  assert.ok(['made', 'written'].includes(await seen));
  assert.strictEqual(await storage.run('call', () => new Promise((done) => zlib.gzip('x', () => done(storage.getStore())))), 'call');

  // The program may end while the pool works, and the collector may come.
  const script = `const zlib = require('zlib'); const b = Buffer.alloc(1e7, 'abc');
    for (let i = 0; i < 8; i++) { zlib.gzip(b, () => {}); const s = zlib.createGzip(); s.write(b); }
    if (globalThis.gc) gc(); setImmediate(() => process.exit(7));`;
  const child = spawnSync(process.execPath, ['--expose-gc', '-e', script]);
  assert.strictEqual(child.status, 7, String(child.stderr));
  console.log('ok');
})();

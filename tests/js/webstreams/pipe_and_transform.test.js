// WritableStream, TransformStream, pipeTo and the text streams: order, back-pressure, errors both ways.
'use strict';
const assert = require('node:assert');

async function writing() {
  const log = [];
  const stream = new WritableStream({
    start() { log.push('start'); },
    async write(chunk) { await null; log.push(chunk); },
    close() { log.push('close'); },
  }, new CountQueuingStrategy({ highWaterMark: 2 }));
  const writer = stream.getWriter();
  assert.strictEqual(writer.desiredSize, 2);
  writer.write(1);
  writer.write(2);
  assert.strictEqual(writer.desiredSize, 0);
  await writer.ready;
  await writer.close();
  assert.deepStrictEqual(log, ['start', 1, 2, 'close']);
  await assert.rejects(writer.write(3), { code: 'ERR_INVALID_STATE' });

  let signalled;
  const aborted = new WritableStream({ start(c) { c.signal.onabort = () => { signalled = c.signal.reason; }; } });
  await aborted.abort('stop');
  assert.strictEqual(signalled, 'stop');
}

async function piping() {
  const out = [];
  const source = new ReadableStream({ start(c) { for (let i = 0; i < 1000; i++) c.enqueue(i); c.close(); } });
  const plusOne = new TransformStream({ transform(x, c) { c.enqueue(x + 1); }, flush(c) { c.enqueue('end'); } });
  await source.pipeThrough(plusOne).pipeTo(new WritableStream({ async write(x) { if (x % 100 === 0) await null; out.push(x); } }));
  assert.deepStrictEqual(out, [...Array.from({ length: 1000 }, (_, i) => i + 1), 'end']);

  // Errors go forward as abort, backward as cancel.
  let aborted;
  const bad = new ReadableStream({ pull() { throw new Error('source'); } });
  await assert.rejects(bad.pipeTo(new WritableStream({ abort(e) { aborted = e.message; } })), { message: 'source' });
  assert.strictEqual(aborted, 'source');
  let cancelled;
  const good = new ReadableStream({ pull(c) { c.enqueue(1); }, cancel(e) { cancelled = e.message; } });
  await assert.rejects(good.pipeTo(new WritableStream({ write() { throw new Error('sink'); } })), { message: 'sink' });
  assert.strictEqual(cancelled, 'sink');

  const controller = new AbortController();
  const endless = new ReadableStream({ pull() { return new Promise(() => {}); } });
  const piped = endless.pipeTo(new WritableStream(), { signal: controller.signal, preventCancel: true });
  controller.abort();
  await assert.rejects(piped, { name: 'AbortError' });
  assert.strictEqual(endless.locked, false);
}

async function text() {
  const encoded = ReadableStream.from(['gr', '\uD83D', '\uDE00', 'ü']).pipeThrough(new TextEncoderStream());
  const parts = [];
  for await (const part of encoded.pipeThrough(new TextDecoderStream())) parts.push(part);
  assert.strictEqual(parts.join(''), 'gr\u{1F600}ü');
}

let done = false;
(async () => { await writing(); await piping(); await text(); done = true; })();
process.on('exit', () => { assert.ok(done); });

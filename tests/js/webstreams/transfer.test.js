// A transferred stream goes on through a message channel; the original is locked, the process is not kept alive.
'use strict';
const assert = require('node:assert');

async function run() {
  const source = ReadableStream.from(['a', new Uint8Array([1, 2]), { deep: [1] }]);
  const readable = structuredClone(source, { transfer: [source] });
  assert.ok(readable instanceof ReadableStream);
  assert.strictEqual(source.locked, true);
  const got = [];
  for await (const chunk of readable) got.push(chunk);
  assert.deepStrictEqual(got, ['a', new Uint8Array([1, 2]), { deep: [1] }]);

  const written = [];
  const sink = new WritableStream({ write(chunk) { written.push(chunk); }, close() { written.push('closed'); } });
  const writer = structuredClone(sink, { transfer: [sink] }).getWriter();
  await writer.write(1);
  await writer.write(2);
  await writer.close();
  while (written.length < 3) await new Promise((resolve) => { setImmediate(resolve); });
  assert.deepStrictEqual(written, [1, 2, 'closed']);

  const failing = new ReadableStream({ pull(c) { c.error(new Error('lost')); } });
  await assert.rejects(structuredClone(failing, { transfer: [failing] }).getReader().read(), { message: 'lost' });

  const transform = new TransformStream({ transform(x, c) { c.enqueue(x * 2); } });
  const { readable: out, writable: into } = structuredClone(transform, { transfer: [transform] });
  const feeding = into.getWriter();
  feeding.write(21);
  assert.deepStrictEqual(await out.getReader().read(), { value: 42, done: false });

  const locked = new ReadableStream();
  locked.getReader();
  assert.throws(() => structuredClone(locked, { transfer: [locked] }), { name: 'DataCloneError' });
  assert.throws(() => structuredClone(new ReadableStream()), { name: 'DataCloneError' });
}

let done = false;
// The ports do not keep the process alive: this timer does, until all is read.
const alive = setInterval(() => {}, 1000);
run().finally(() => { clearInterval(alive); }).then(() => { done = true; });
process.on('exit', () => { assert.ok(done); });

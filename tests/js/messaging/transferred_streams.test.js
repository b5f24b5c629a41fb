// Streams cross by transfer: chunks, ends and errors arrive on the other side; the original is locked.
'use strict';
const assert = require('node:assert');

async function main() {
  const source = new ReadableStream({
    start(controller) {
      controller.enqueue('one');
      controller.enqueue({ two: 2 });
      controller.close();
    },
  });
  const moved = structuredClone(source, { transfer: [source] });
  assert.ok(moved instanceof ReadableStream);
  assert.strictEqual(source.locked, true);
  const seen = [];
  const reader = moved.getReader();
  for (let step = await reader.read(); !step.done; step = await reader.read()) seen.push(step.value);
  assert.deepStrictEqual(seen, ['one', { two: 2 }]);

  const written = [];
  const sink = new WritableStream({ write(chunk) { written.push(chunk); } });
  const writer = structuredClone(sink, { transfer: [sink] }).getWriter();
  await writer.write('a');
  await writer.write('b');
  await writer.close();
  while (written.length < 2) await new Promise(setImmediate);
  assert.deepStrictEqual(written, ['a', 'b']);
  const locked = new ReadableStream();
  locked.getReader();
  assert.throws(() => structuredClone(locked, { transfer: [locked] }), { name: 'DataCloneError' });
  const sides = [(t) => [t, t.readable], (t) => [t.readable, t], (t) => [t, t.writable], (t) => [t.writable, t]];
  for (const both of sides) {
    const transfer = both(new TransformStream());
    assert.throws(() => structuredClone(transfer, { transfer }), { name: 'DataCloneError' });
  }
}

let done = false;
main().then(() => { done = true; });
process.on('exit', () => assert.ok(done));

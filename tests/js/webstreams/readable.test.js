// ReadableStream: queueing, demand, cancelling, teeing, iteration, and reading into one's own buffers.
'use strict';
const assert = require('node:assert');

const collect = async (stream) => { const all = []; for await (const x of stream) all.push(x); return all; };

async function demand() {
  const pulls = [];
  const stream = new ReadableStream({ pull(c) { pulls.push(c.desiredSize); c.enqueue(pulls.length); } }, { highWaterMark: 2 });
  await new Promise((resolve) => { setImmediate(resolve); });
  assert.deepStrictEqual(pulls, [2, 1]);
  const reader = stream.getReader();
  assert.strictEqual(stream.locked, true);
  assert.deepStrictEqual(await reader.read(), { value: 1, done: false });
  await new Promise((resolve) => { setImmediate(resolve); });
  assert.strictEqual(pulls.length, 3);
  reader.releaseLock();
  assert.throws(() => stream.getReader({ mode: 'byob' }), { code: 'ERR_INVALID_ARG_VALUE' });
  await assert.rejects(reader.read(), { code: 'ERR_INVALID_STATE' });
}

async function cancelling() {
  let reason;
  const stream = new ReadableStream({ cancel(r) { reason = r; } });
  await stream.cancel('bored');
  assert.strictEqual(reason, 'bored');
  assert.deepStrictEqual(await stream.getReader().read(), { value: undefined, done: true });

  let returned = false;
  const source = { *[Symbol.iterator]() { try { yield 1; yield 2; } finally { returned = true; } } };
  for await (const x of ReadableStream.from(source)) { assert.strictEqual(x, 1); break; }
  assert.ok(returned);
}

async function teeing() {
  const [a, b] = ReadableStream.from([1, 2, 3]).tee();
  assert.deepStrictEqual(await Promise.all([collect(a), collect(b)]), [[1, 2, 3], [1, 2, 3]]);
}

async function bytes() {
  let left = 3;
  const stream = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const { view } = controller.byobRequest;
      view.fill(left);
      controller.byobRequest.respond(Math.min(view.byteLength, 2));
      if (--left === 0) controller.close();
    },
  });
  const reader = stream.getReader({ mode: 'byob' });
  const own = new Uint8Array(4);
  const first = await reader.read(own);
  assert.deepStrictEqual([...first.value], [3, 3]);
  assert.strictEqual(own.byteLength, 0, 'the buffer was handed over');
  const filled = await reader.read(new Uint8Array(4), { min: 4 });
  assert.deepStrictEqual([...filled.value], [2, 2, 1, 1]);
  assert.strictEqual((await reader.read(new Uint8Array(1))).done, true);
}

async function failing() {
  const stream = new ReadableStream({ start(c) { c.error(new Error('spoilt')); } });
  const reader = stream.getReader();
  await assert.rejects(reader.read(), { message: 'spoilt' });
  await assert.rejects(reader.closed, { message: 'spoilt' });
  assert.throws(() => new ReadableStream({}, { highWaterMark: -1 }), RangeError);
  assert.throws(() => new ReadableStream({ type: 'nibbles' }), { code: 'ERR_INVALID_ARG_VALUE' });
  assert.throws(() => new ReadableStream({ pull: 1 }), TypeError);
  assert.throws(() => new ReadableStreamDefaultController(), { code: 'ERR_ILLEGAL_CONSTRUCTOR' });
  assert.throws(() => ReadableStream.prototype.getReader.call({}), { code: 'ERR_INVALID_THIS' });
}

let done = false;
(async () => { for (const part of [demand, cancelling, teeing, bytes, failing]) await part(); done = true; })();
process.on('exit', () => { assert.ok(done); });

// clone(): the copy has chunks of its own; and fetch does without what a program puts on Object.prototype.
'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { plainServer, reply } = require('../../fixtures/plain_server.js');

test('the clone of a response has bytes of its own', async () => {
  const chunk = new Uint8Array([1, 2, 3]);
  const response = new Response(new ReadableStream({ start(controller) { controller.enqueue(chunk); controller.close(); } }));
  const copy = response.clone();
  const { value: first } = await response.body.getReader().read();
  const { value: second } = await copy.body.getReader().read();
  assert.deepStrictEqual(first, second);
  assert.notStrictEqual(first.buffer, second.buffer);
  const odd = new Response(new ReadableStream({ start(controller) { controller.enqueue(() => {}); } }));
  const oddCopy = odd.clone();
  await assert.rejects(odd.body.getReader().read(), { name: 'DataCloneError' });
  await assert.rejects(oddCopy.body.getReader().read(), { name: 'DataCloneError' });
});

test('an accessor on Object.prototype', async () => {
  const server = await plainServer((request, socket) => reply(socket, 200, {}, 'x'));
  Object.defineProperty(Object.prototype, 'start', { get() { throw new Error('start was read'); }, configurable: true });
  try {
    assert.strictEqual((await fetch(server.url)).status, 200);
  } finally {
    delete Object.prototype.start;
  }
  server.close();
});

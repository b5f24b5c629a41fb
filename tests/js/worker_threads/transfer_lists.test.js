// What postMessage makes of its second argument: any iterable, an array by its indices, checked the same whether it holds memory alone,
// which C++ takes as it is, or anything else.
'use strict';
const assert = require('node:assert');
const { once } = require('node:events');
const { MessageChannel, markAsUntransferable } = require('node:worker_threads');

const { port1, port2 } = new MessageChannel();
const memory = () => new ArrayBuffer(8);
const refuses = (list, message) => assert.throws(() => port1.postMessage(0, list), { name: 'DataCloneError', ...(message && { message }) });

async function send(value, list) {
  const arrived = once(port2, 'message');
  port1.postMessage(value, list);
  return (await arrived)[0];
}

async function moves() {
  for (const wrap of [(one) => [one], (one) => ({ transfer: [one] }), (one) => new Set([one]), (one) => [one, memory()]]) {
    const one = memory();
    assert.strictEqual((await send(one, wrap(one))).byteLength, 8);
    assert.strictEqual(one.byteLength, 0);
  }
  for (const none of [undefined, null, [], {}]) {
    const one = memory();
    await send(one, none);
    assert.strictEqual(one.byteLength, 8);
  }
}

// As in Node an array is its elements, whatever way to be walked it has been given.
async function walks() {
  const moved = memory(), kept = memory();
  const list = [moved];
  list[Symbol.iterator] = () => [kept].values();
  await send(0, list);
  assert.deepStrictEqual([kept.byteLength, moved.byteLength], [8, 0]);
}

function faults() {
  const one = memory(), gone = memory(), held = memory();
  refuses([one, one], /duplicate ArrayBuffer/);
  structuredClone(gone, { transfer: [gone] });
  refuses([one, gone]);
  markAsUntransferable(held);
  refuses([one, held]);
  refuses([new SharedArrayBuffer(8)]);
  refuses([one, port1], 'Transfer list contains source port');
  const other = new MessageChannel().port1;
  refuses([one, other, other], 'Transfer list contains duplicate MessagePort');
  assert.throws(() => port1.postMessage(0, [, one]));
  assert.throws(() => port1.postMessage(0, 1), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.strictEqual(one.byteLength, 8);
}

(async () => {
  await moves();
  await walks();
  faults();
  port1.close();
})();

'use strict';
// channel(): every other channel of the name gets a message, once, in the order of its sender, as a copy; the same over both brokers.
const assert = require('node:assert');
const { onBoth, until } = require('../../fixtures/mesh');

onBoth(async ({ connect }) => {
  const [one, other] = [await connect(), await connect()];
  const sender = one.channel('news');
  const beside = one.channel('news'); // in the same connection
  const far = other.channel('news');
  const elsewhere = other.channel('other');
  const got = { sender: [], beside: [], far: [], elsewhere: [] };
  for (const [name, channel] of Object.entries({ sender, beside, far, elsewhere })) {
    channel.onmessage = (event) => got[name].push(event.data);
  }
  await Promise.all([one.flush(), other.flush()]);

  const value = {
    text: 'häß',
    big: 12n ** 40n,
    when: new Date(5),
    map: new Map([[1, new Set([2])]]),
    bytes: new Uint8Array([1, 2, 3]),
    error: new RangeError('far'),
    none: undefined,
  };
  value.self = value;
  sender.postMessage(value);
  for (let i = 0; i < 500; i++) sender.postMessage(i);
  await until(() => got.far.length === 501 && got.beside.length === 501);
  assert.deepStrictEqual(got.far.slice(1), Array.from({ length: 500 }, (_, i) => i));
  assert.deepStrictEqual(got.beside.slice(1), got.far.slice(1));
  assert.deepStrictEqual(got.sender, []);
  assert.deepStrictEqual(got.elsewhere, []);
  for (const copy of [got.far[0], got.beside[0]]) {
    assert.notStrictEqual(copy, value);
    assert.strictEqual(copy.self, copy);
    assert.strictEqual(copy.text, value.text);
    assert.strictEqual(copy.big, value.big);
    assert.deepStrictEqual(copy.when, value.when);
    assert.deepStrictEqual(copy.map, value.map);
    assert.deepStrictEqual(copy.bytes, value.bytes);
    assert.ok(copy.error instanceof RangeError && copy.error.message === 'far');
    assert.ok('none' in copy);
  }

  // Values that cannot leave the process are refused where they are posted.
  const { port1, port2 } = new MessageChannel();
  for (const bad of [() => {}, Symbol('a'), port1, new SharedArrayBuffer(4), new Blob(['a'])]) {
    assert.throws(() => sender.postMessage(bad), { name: 'DataCloneError' });
    assert.throws(() => sender.postMessage({ deep: [bad] }), { name: 'DataCloneError' });
  }
  port1.close();
  port2.close();

  // So are objects that lie too deep in one another.
  const nested = (depth) => {
    let value = [];
    for (let i = 1; i < depth; i++) value = [value];
    return value;
  };
  assert.throws(() => sender.postMessage(nested(1001)), { name: 'DataCloneError' });
  sender.postMessage(nested(1000));
  await until(() => got.far.length === 502);
  assert.ok(Array.isArray(got.far.pop()));
  got.beside.pop();

  // A BroadcastChannel without `mesh` is none of its members.
  const plain = new BroadcastChannel('news');
  plain.onmessage = () => assert.fail('a channel of the mesh reached a plain BroadcastChannel');
  plain.postMessage('plain');

  // A part of a buffer travels alone.
  const pool = new Uint8Array(1000).fill(7);
  sender.postMessage(pool.subarray(10, 12));
  await until(() => got.far.length === 502);
  assert.strictEqual(got.far[501].length, 2);
  assert.strictEqual(got.far[501].buffer.byteLength, 2);

  // A getter may post in the middle of a post.
  sender.postMessage({
    get inner() {
      sender.postMessage('inner');
      return 1;
    },
  });
  await until(() => got.far.length === 504);
  assert.deepStrictEqual(new Set(got.far.slice(502).map((one) => one.inner ?? one)), new Set([1, 'inner']));

  plain.close();
  far.close();
  far.close();
  assert.throws(() => far.postMessage(1), { name: 'InvalidStateError' });
  sender.postMessage('late');
  await until(() => got.beside.length === 505);
  await other.flush();
  assert.strictEqual(got.far.length, 504);
  for (const name of ['', 'a.b', '*', '>', 'a b', 'a\r\nPUB x', '$JS', 'ä', 'x'.repeat(65)]) {
    assert.throws(() => one.channel(name), { code: 'ERR_MESH_NAME' });
  }
  assert.throws(() => one.channel(5), { code: 'ERR_INVALID_ARG_TYPE' });
});

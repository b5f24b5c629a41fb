'use strict';
// new BroadcastChannel(name, { mesh: true }): the global class over the mesh, beside rondo:mesh's own channels and apart from the process's.
const assert = require('node:assert');
const { complete, until } = require('../../fixtures/mesh');
const { channel, connect } = require('rondo:mesh');

complete(async () => {
  delete process.env.RONDO_MESH;
  const far = await connect();
  const global = new BroadcastChannel('room', { mesh: true });
  const own = channel('room');
  const other = far.channel('room');
  const local = new BroadcastChannel('room'); // of the process alone
  const got = { global: [], own: [], other: [], local: [] };
  for (const [name, one] of Object.entries({ global, own, other, local })) one.onmessage = ({ data }) => got[name].push(data);
  await far.flush();
  assert.ok(global instanceof BroadcastChannel);
  assert.strictEqual(global.name, 'room');
  assert.strictEqual(BroadcastChannel.length, 1);
  global.postMessage('from global');
  other.postMessage({ from: 'other' });
  local.postMessage('nobody');
  await until(() => got.own.length === 2 && got.global.length === 1 && got.other.length === 1);
  if (got.own[1] === 'from global') got.own.reverse(); // of two senders: in any order
  assert.deepStrictEqual(got, { global: [{ from: 'other' }], own: ['from global', { from: 'other' }], other: ['from global'], local: [] });
  assert.throws(() => global.postMessage(() => {}), { name: 'DataCloneError' });
  assert.throws(() => new BroadcastChannel('a.b', { mesh: true }), { code: 'ERR_MESH_NAME' });
  global.close();
  assert.throws(() => global.postMessage(1), { name: 'InvalidStateError' });
  local.close();
  other.close();
  await far.close();
  own.unref(); // the loop ends although it is open
});

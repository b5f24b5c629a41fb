'use strict';
// A peer that writes what it likes into the buckets of stores, locks, peers and timers: others get an error for what cannot be read and go on with the rest.
const assert = require('node:assert');
const { complete, hasNats, startNats, until } = require('../../fixtures/mesh');
const { RawNats } = require('../../fixtures/raw_nats');
const { connect } = require('rondo:mesh');

const kBodies = [Buffer.from('garbage'), Buffer.alloc(0), Buffer.from([1, 12, 255, 255, 255, 255]), Buffer.from([1, 0])];
const kHeaders = ['', 'Rondo-Fence: x\r\n', 'Rondo-Fence: 99999999999999999999999\r\n', 'Rondo-Fence: -5\r\n', `Rondo-Fence: ${'9'.repeat(400)}\r\n`];

async function main() {
  if (!hasNats) return console.log('skipped: nats-server is not installed');
  const server = await startNats();
  const mesh = await connect({ servers: server.url, lease: 1000 });
  const warnings = new Set();
  mesh.on('warning', ({ code }) => warnings.add(code));
  const raw = await RawNats.connect(server.port);
  const write = async (...keys) => {
    for (const body of kBodies) for (const headers of kHeaders) for (const key of keys) raw.publish(`$KV.${key}`, body, { headers });
    await raw.flush();
  };

  const values = mesh.store('values');
  await values.set('mine', 1);
  await write('rondo_s_values.bad', 'rondo_s_values.=ZZ', 'rondo_s_values.a.b', 'rondo_s_values.=41');
  raw.publish('$KV.rondo_s_values.bad', kBodies[0]);
  await raw.flush();
  await assert.rejects(values.get('bad'), { code: 'ERR_MESH_BAD_MESSAGE' });
  assert.deepStrictEqual(new Set(await values.keys()), new Set(['mine', 'bad'])); // the others are no keys of a store
  await assert.rejects(values.entries(), { code: 'ERR_MESH_BAD_MESSAGE', message: /bad/ });
  const seen = new Map();
  for await (const { key, value, error } of values.watch()) {
    seen.set(key, error?.code ?? value);
    if (seen.size === 2) break;
  }
  assert.deepStrictEqual(Object.fromEntries(seen), { mine: 1, bad: 'ERR_MESH_BAD_MESSAGE' });
  await values.set('bad', 2);
  assert.deepStrictEqual(Object.fromEntries((await values.entries()).map(({ key, value }) => [key, value])), { mine: 1, bad: 2 });

  // Nobody's entry holds a lock until its lease ends; then the lock has its next token.
  const token = await mesh.lock('door', (lock) => lock.token);
  await write('rondo_locks.lock-door', 'rondo_tokens.lock-door', 'rondo_peers.stranger', 'rondo_peers.=ZZ');
  assert.ok((await mesh.lock('door', (lock) => lock.token)) > token);
  for (const peer of await mesh.peers()) assert.ok(peer.id === mesh.id || peer.pid === undefined, JSON.stringify(peer));

  // A timer goes on.
  const fired = { old: 0, late: 0 };
  const old = await mesh.timer('old', { every: 50 }, () => fired.old++);
  await until(() => fired.old > 0);
  await write('rondo_timers.old', 'rondo_timers.late');
  raw.publish('$KV.rondo_timers.late', kBodies[0]);
  const late = await mesh.timer('late', { every: 50 }, () => fired.late++);
  const before = fired.old;
  await until(() => fired.old > before + 2 && fired.late > 2);
  assert.ok(warnings.has('ERR_MESH_BAD_MESSAGE'), `${[...warnings]}`);
  old.stop();
  late.stop();
  raw.close();
  await mesh.close();
  await server.stop();
}
complete(main);

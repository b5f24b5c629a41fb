'use strict';
// Fencing tokens grow although what they were counted by is lost: servers that have lost the entries of locks, a process that begins anew on its
// journal, a clock that is set back, an entry that has expired.
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { complete, hasNats, startNats, until } = require('../../fixtures/mesh');
const { RawNats } = require('../../fixtures/raw_nats');
const { connect } = require('rondo:mesh');

const tokenOf = (mesh, name) => mesh.lock(name, ({ token }) => token);

// The guarded store is in the journal, locks are not.
async function journal() {
  const storage = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-tokens-')), 'mesh');
  const tokens = [];
  for (let i = 0; i < 3; i++) {
    const mesh = await connect({ storage });
    tokens.push(await tokenOf(mesh, 'box'));
    await mesh.store('guarded').set('value', i, { fence: tokens[i] });
    await mesh.close();
  }
  assert.deepStrictEqual(tokens.toSorted((a, b) => a - b), tokens);
  assert.strictEqual(new Set(tokens).size, 3);
  fs.rmSync(path.dirname(storage), { recursive: true });
}

// A clock that goes back is none of the tokens' matter, while the lock's entry or its last token is there.
async function clockSetBack(options, expired) {
  const name = 'clock';
  const { now } = Date;
  const mesh = await connect({ ...options, lease: 2000 });
  const first = await tokenOf(mesh, name);
  try {
    Date.now = () => now() - 3_600_000;
    const second = await tokenOf(mesh, name);
    assert.ok(second > first, `${second} after ${first}`);
    await until(expired); // the entry of the last holder goes with its lease
    const third = await tokenOf(mesh, name);
    assert.ok(third > second, `${third} after ${second}`);
  } finally {
    Date.now = now;
    await mesh.close();
  }
}

async function lostEntries(server) {
  const raw = await RawNats.connect(server.port);
  const one = await connect({ servers: server.url });
  let held;
  const over = one.lock('box', (lock) => {
    held = lock;
    return new Promise((resolve) => lock.signal.addEventListener('abort', resolve));
  });
  over.catch(() => {});
  await until(() => held !== undefined);
  for (const bucket of ['locks', 'tokens']) assert.strictEqual((await raw.ask(`STREAM.DELETE.KV_rondo_${bucket}`)).success, true);
  const two = await connect({ servers: server.url });
  const token = await tokenOf(two, 'box');
  assert.ok(token > held.token, `${token} after ${held.token}`);
  const guarded = two.store('guarded');
  await guarded.set('value', 2, { fence: token });
  await assert.rejects(one.store('guarded').set('value', 1, { fence: held.token }), { code: 'ERR_MESH_FENCED' });
  raw.close();
  await Promise.all([one.close(), two.close()]);
}

complete(async () => {
  await journal();
  await clockSetBack({}, () => true);
  if (!hasNats) return console.log('skipped: nats-server is not installed, the part over NATS was not run');
  const server = await startNats();
  const raw = await RawNats.connect(server.port);
  await clockSetBack({ servers: server.url }, async () => (await raw.ask('STREAM.INFO.KV_rondo_locks')).state.messages === 0);
  raw.close();
  await server.stop();
  const other = await startNats();
  await lostEntries(other);
  await other.stop();
});

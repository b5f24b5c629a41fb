'use strict';
// Writes of three connections, each to another server of a cluster, that follow the same revision at the same moment: one of them is stored.
//   rondo tests/mesh/revisions.js [rounds]
const assert = require('node:assert');
const { connect } = require('rondo:mesh');
const { Cluster } = require('./machines.js');

const rounds = Number(process.argv[2] ?? 300);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function join(servers) {
  for (;;) {
    const mesh = await connect({ servers, silence: 60_000 }).catch(() => undefined);
    if (mesh !== undefined) return mesh;
    await sleep(100);
  }
}

async function main() {
  const cluster = new Cluster();
  await cluster.start();
  const stores = [];
  for (const url of cluster.urls) stores.push((await join(url)).store('races'));
  const before = {
    none: async () => 0,
    removed: async (key) => {
      await stores[0].set(key, 'x');
      await stores[0].delete(key);
      return 0;
    },
    value: (key) => stores[0].set(key, 'x'),
  };
  for (const [kind, prepare] of Object.entries(before)) {
    for (let i = 0; i < rounds; i++) {
      const key = `${kind} ${i}`;
      const revision = await prepare(key);
      const results = await Promise.allSettled(stores.map((store, writer) => store.set(key, writer, { revision })));
      const stored = results.flatMap(({ status }, writer) => (status === 'fulfilled' ? [writer] : []));
      for (const { reason } of results) if (reason !== undefined) assert.strictEqual(reason.code, 'ERR_MESH_REVISION', reason);
      assert.strictEqual(stored.length, 1, `${key}: ${stored.length} writes follow the revision ${revision}`);
      assert.strictEqual(await stores[(i + 1) % 3].get(key), stored[0]);
    }
  }
  // Tokens: whatever the order in which they come, a smaller one is never behind a larger one.
  for (let i = 0; i < rounds; i++) {
    const key = `fenced ${i}`;
    const revisions = await Promise.all([2, 3, 1].map((fence, writer) => stores[writer].set(key, fence, { fence }).catch(({ code }) => code)));
    const [two, three, one] = revisions;
    assert.strictEqual(await stores[i % 3].get(key), 3);
    for (const smaller of [one, two]) assert.ok(smaller === 'ERR_MESH_FENCED' || smaller < three, `${key}: ${revisions}`);
    if (typeof one === 'number' && typeof two === 'number') assert.ok(one < two, `${key}: ${revisions}`);
  }
  console.log(`revisions: ${rounds * 4} races of three writers, ${cluster.hasNetwork ? 'namespaces' : 'loopback'}`);
  process.exit(0);
}
main();

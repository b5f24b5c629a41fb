'use strict';
// A server whose disk is full: a push that it cannot store waits, and the mesh says why; what was acknowledged before and after is there when the disk has
// room again.
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { complete, hasNats, startNats, until } = require('../../fixtures/mesh');
const { connect } = require('rondo:mesh');

const kText = 'x'.repeat(60_000);

async function main(disk) {
  const store = path.join(disk, 'store');
  const server = await startNats({ jetstream: false, config: `jetstream { store_dir: "${store}", max_mem: 64M, max_file: 2G }` });
  const mesh = await connect({ servers: server.url });
  const queue = mesh.queue('jobs', { partitions: 0 });
  await mesh.store('kept').set('before', 1);
  const acknowledged = new Set();
  // Until the server refuses. A push waits meanwhile, and the mesh says why.
  const stop = new AbortController();
  const push = async (first) => {
    for (let id = first; ; id += 4) {
      await queue.push({ id, text: kText }, { signal: stop.signal });
      acknowledged.add(id);
    }
  };
  const refused = new Promise((resolve) => mesh.once('warning', resolve));
  const pushing = [0, 1, 2, 3].map(push);
  assert.match((await refused).message, /^The server says: /);
  assert.strictEqual((await refused).code, 'ERR_MESH_SERVER');
  assert.ok(acknowledged.size > 50, `${acknowledged.size} were acknowledged`);
  stop.abort(new Error('enough'));
  for (const { reason } of await Promise.allSettled(pushing)) assert.match(reason.message, /enough/);

  // Room again: JetStream is on again after a start of the server, which the mesh sees by itself.
  fs.rmSync(path.join(disk, 'filler'));
  await server.kill();
  await server.start();
  assert.strictEqual(await mesh.store('kept').get('before'), 1);
  assert.strictEqual(await queue.push({ id: 'after', text: '' }), true);
  acknowledged.add('after');
  const done = new Set();
  for await (const job of queue.work({ concurrency: 16 })) {
    done.add(job.value.id);
    await job.done();
    if ([...acknowledged].every((id) => done.has(id))) break;
  }
  await mesh.close();
  await server.stop();
}

complete(async () => {
  if (!hasNats) return console.log('skipped: nats-server is not installed');
  const disk = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-disk-'));
  const remove = () => {
    spawnSync('umount', ['-l', disk]);
    fs.rmSync(disk, { recursive: true, force: true });
  };
  process.on('exit', remove);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', disk]).status !== 0) return console.log('skipped: mounting is not allowed, no disk was full');
  fs.writeFileSync(path.join(disk, 'filler'), Buffer.alloc(24 << 20)); // room that is given back
  await main(disk);
});

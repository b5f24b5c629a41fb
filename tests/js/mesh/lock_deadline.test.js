'use strict';
// A holder whose server does not answer knows that it has lost its lock before the lease ends, not at one of its renewals after that.
const assert = require('node:assert');
const { complete, hasNats, startNats } = require('../../fixtures/mesh');
const { connect } = require('rondo:mesh');

const kLease = 2000;

async function main() {
  if (!hasNats) return console.log('skipped: nats-server is not installed');
  const server = await startNats();
  const mesh = await connect({ servers: server.url, lease: kLease });
  mesh.on('warning', () => {});
  let isOver = false;
  let reason;
  const holding = mesh.lock('box', async ({ signal }) => {
    server.child.kill('SIGSTOP');
    // The lease began before this timer. Both timers are of this thread: however slow it is, the earlier one comes first.
    const end = setTimeout(() => (isOver = true), kLease * 0.95);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    clearTimeout(end);
    reason = signal.reason;
  });
  await assert.rejects(holding, { code: 'ERR_MESH_LOST' });
  assert.strictEqual(reason?.code, 'ERR_MESH_LOST');
  assert.strictEqual(isOver, false, 'the signal came when the lease was over');
  server.child.kill('SIGCONT');
  await mesh.close();
  await server.stop();
}
complete(main);

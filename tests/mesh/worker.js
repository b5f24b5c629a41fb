'use strict';
// A worker of tests/mesh/faults.js: does jobs, holds a lock again and again, and has a timer. It writes a line for each effect, which a kill
// does not lose. Arguments: the file, its name, addresses of servers.
const fs = require('node:fs');
const { connect } = require('rondo:mesh');

const [file, name, servers] = process.argv.slice(2);
const out = fs.openSync(file, 'a');
const note = (...words) => fs.writeSync(out, `${words.join(' ')}\n`);
const clock = () => process.hrtime.bigint() / 1_000_000n; // ms, the same in all processes of this machine

async function once(run) {
  try {
    await run();
    return true;
  } catch (error) {
    if (error.code === 'ERR_MESH_REVISION' || error.code === 'ERR_MESH_FENCED') return false;
    throw error;
  }
}

async function work(mesh) {
  const effects = mesh.store('effects');
  const orders = mesh.store('orders');
  const handle = async (job) => {
    const { id } = job.value;
    try {
      // An effect with a key happens once, although the job may come twice.
      if (job.key !== undefined && (await once(() => effects.set(job.key, id, { revision: 0 })))) note('effect', job.key);
      // One of an order is refused when a later job of it has had its effect.
      if (job.order !== undefined) {
        const isInTime = await once(() => orders.set(job.order, id, { fence: job.sequence }));
        note(isInTime ? 'order' : 'late', job.order, id, job.sequence);
      }
      note('done', id, job.sequence);
      await job.done();
    } catch (error) {
      note('error', error.code ?? error.message);
      await job.retry(100);
    }
  };
  for await (const job of mesh.queue('jobs', { lease: 3000 }).work({ concurrency: 64 })) handle(job);
}

// Every fourth time it holds the lock for longer than a lease, so that it must renew it. A line says each 30 ms that it holds it: all that it does
// between two of those may take as long as it likes.
async function lock(mesh) {
  const guarded = mesh.store('guarded');
  const write = async (token) => {
    try {
      note('write', token, await guarded.set('value', token, { fence: token }));
    } catch (error) {
      note('no-write', token, error.code ?? error.message);
    }
  };
  for (let round = 0; ; round++) {
    try {
      await mesh.lock('only', async ({ token, signal }) => {
        note('lock', token, name, clock());
        const until = clock() + (round % 4 === 3 ? 4000n : 90n);
        const writing = write(token);
        while (clock() < until) {
          await new Promise((resolve) => setTimeout(resolve, 30));
          if (signal.aborted) return;
          note('held', token, clock());
        }
        await Promise.race([writing, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
        await write(token);
      });
    } catch (error) {
      note('lock-error', error.code ?? error.message);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function main() {
  const mesh = await connect({ servers, lease: 3000, silence: 60_000 });
  mesh.on('error', (error) => note('error', error.code ?? error.message));
  mesh.on('recovered', ({ sequences }) => note('recovered', ...sequences));
  const beats = mesh.store('beats');
  work(mesh);
  lock(mesh);
  await mesh.timer('beat', { every: 1000 }, async ({ due }) => {
    note('run', due.getTime());
    if (await once(() => beats.set(`${due.getTime()}`, name, { revision: 0 }))) note('beat', due.getTime());
  });
}
main().catch((error) => {
  note('ended', error.code ?? error.message);
  process.exit(1);
});

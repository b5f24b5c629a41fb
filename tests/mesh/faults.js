'use strict';
// Jobs through a queue by three workers on three machines with a server each, while servers, workers, links and a disk fail at random:
//   rondo tests/mesh/faults.js [seed] [jobs] [faults, such as cutLink,fillDisk]
// The faults are kill -9, SIGSTOP, a link that is down, and a disk that is full (one machine's, of which JetStream's folder is a small file system).
// Every acknowledged job is done at least once, one with a key has one effect, jobs of one order have their effects in that order, a lock has one holder
// at a time, a guarded value is written by growing tokens, and each time of a timer has one effect. A failure prints its seed.
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { connect } = require('rondo:mesh');
const { RawNats } = require('../fixtures/raw_nats.js');
const { randomOf } = require('../fixtures/seeded_random.js');
const { Cluster } = require('./machines.js');

const seed = Number(process.argv[2] ?? 1);
const jobs = Number(process.argv[3] ?? 20_000);
const chosen = process.argv[4]?.split(','); // some of `faults`; one that is named twice comes twice as often
const random = randomOf(seed);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const kMostPending = 400;
const kLease = 3000; // of the workers, too

function startWorker(cluster, machine) {
  const file = path.join(cluster.folder, `effects${machine.index}`);
  const near = [machine.url, ...cluster.urls.filter((url) => url !== machine.url)].join(',');
  machine.worker = machine.run(process.execPath, [path.join(__dirname, 'worker.js'), file, `m${machine.index}`, near], path.join(cluster.folder, 'worker.log'));
}

// One that ends by itself (it could not connect while its machine was cut) is started again.
function keepWorker(cluster, machine) {
  startWorker(cluster, machine);
  const again = () => {
    if (cluster.isOver) return;
    setTimeout(() => {
      if (cluster.isOver) return;
      startWorker(cluster, machine);
      machine.worker.once('exit', again);
    }, 200);
  };
  machine.worker.once('exit', again);
}

const faults = {
  async killServer(machine) {
    machine.server.kill('SIGKILL');
    await sleep(500 + random(2000));
    machine.startServer();
  },
  async stopServer(machine) {
    machine.server.kill('SIGSTOP');
    await sleep(500 + random(3500));
    machine.server.kill('SIGCONT');
  },
  async cutLink(machine) {
    if (!machine.cluster.hasNetwork) return faults.stopServer(machine);
    machine.setLink(false);
    await sleep(500 + random(4000));
    machine.setLink(true);
  },
  async killWorker(machine) {
    machine.worker.kill('SIGKILL');
  },
  async stopWorker(machine) {
    const { worker } = machine;
    worker.kill('SIGSTOP');
    await sleep(500 + random(6000));
    worker.kill('SIGCONT');
  },
  // The server turns JetStream off when it cannot write: with room again, it is started again.
  async fillDisk(machine) {
    if (!machine.hasDisk) return faults.stopServer(machine);
    machine.fillDisk();
    await sleep(500 + random(4000));
    machine.emptyDisk();
    const ended = new Promise((resolve) => machine.server.once('exit', resolve));
    machine.server.kill('SIGKILL');
    await ended;
    machine.startServer();
  },
};

// One disturbed machine at a time: two of three keep their majority.
async function disturb(cluster, counts) {
  const names = chosen ?? Object.keys(faults);
  while (!cluster.isCalm) {
    await sleep(300 + random(1500));
    if (cluster.isCalm) return;
    const name = names[random(names.length)];
    counts[name] = (counts[name] ?? 0) + 1;
    const machine = name === 'fillDisk' ? cluster.small : cluster.machines[random(3)];
    cluster.log.push(`${new Date().toISOString()} ${name} ${machine.index}`);
    await faults[name](machine);
  }
}

async function produce(mesh, acknowledged) {
  const queue = mesh.queue('jobs', { lease: kLease });
  const pending = new Set();
  for (let id = 0; id < jobs; id++) {
    const options = {};
    if (id % 20 === 3) options.key = `key ${id}`;
    if (id % 20 === 7) options.order = `order ${random(6)}`;
    const pushed = queue.push({ id, text: `job ${id} ${'x'.repeat(random(100))}` }, options).then((isNew) => {
      acknowledged.set(id, { ...options, isNew, at: Date.now() });
      pending.delete(pushed);
    });
    pending.add(pushed);
    if (pending.size >= kMostPending) await Promise.race(pending);
  }
  await Promise.all(pending);
  return queue;
}

// Servers that elect a leader, or are slow to, may leave a question unanswered for its whole time: that is no loss.
async function remaining(queue) {
  for (;;) {
    try {
      return await queue.count();
    } catch (error) {
      if (!['ERR_MESH_TIMEOUT', 'ERR_MESH_SERVER', 'ERR_MESH_DISCONNECTED'].includes(error.code)) throw error;
    }
    await sleep(100);
  }
}

function readEffects(cluster) {
  const lines = [];
  for (const { index } of cluster.machines) {
    const file = path.join(cluster.folder, `effects${index}`);
    if (fs.existsSync(file)) for (const line of fs.readFileSync(file, 'utf8').split('\n').slice(0, -1)) lines.push(line);
  }
  return lines.map((line) => line.split(' '));
}

// `count` of lines of one kind, by a text of theirs
function tally(effects, kind, text) {
  const counts = new Map();
  for (const words of effects) if (words[0] === kind) counts.set(text(words), (counts.get(text(words)) ?? 0) + 1);
  return counts;
}

// A server that has just come back may not know of all: some more time, as long as something happens.
async function allDone(cluster, acknowledged) {
  const doneOf = () => tally(readEffects(cluster), 'done', (words) => Number(words[1])).size;
  let last = -1;
  for (let i = 0; i < 240 && doneOf() < acknowledged.size; i++) {
    if (doneOf() !== last) i = 0;
    last = doneOf();
    await sleep(500);
  }
}

// Of lost jobs: whether they lie in the stream, which its consumers passed, or the stream went back and gave their numbers to others.
async function explainLoss(cluster, effects, missing) {
  const raw = await RawNats.connect(cluster.machines[0].port, cluster.machines[0].host);
  const { state, cluster: group } = await raw.ask('STREAM.INFO.RONDO_Q_jobs');
  console.error('stream', JSON.stringify({ state, group }));
  const { consumers } = await raw.ask('CONSUMER.LIST.RONDO_Q_jobs', '{"offset":0}');
  for (const { name, delivered, ack_floor, num_pending, num_ack_pending } of consumers) {
    console.error('consumer', JSON.stringify({ name, delivered, ack_floor, num_pending, num_ack_pending }));
  }
  const left = new Set();
  for (let seq = state.first_seq; seq <= state.last_seq && left.size < 5000; seq++) {
    const { message } = await raw.ask('STREAM.MSG.GET.RONDO_Q_jobs', JSON.stringify({ seq, next_by_subj: 'rondo.q.jobs.>' }));
    if (message === undefined) break;
    seq = message.seq;
    left.add(Number(/job (\d+)/.exec(Buffer.from(message.data, 'base64').toString('latin1'))?.[1]));
  }
  console.error(`in the stream: ${left.size} jobs, ${missing.filter(([id]) => left.has(id)).length} of the ${missing.length} lost ones`);
  const jobsOf = new Map();
  for (const [kind, id, sequence] of effects) if (kind === 'done') jobsOf.set(sequence, (jobsOf.get(sequence) ?? new Set()).add(id));
  const reused = [...jobsOf].filter(([, ids]) => ids.size > 1);
  console.error(`${reused.length} numbers of the stream had two jobs:`, JSON.stringify(reused.slice(0, 10).map(([sequence, ids]) => [sequence, ...ids])));
  raw.close();
}

// One holder at a time, with a larger token each: a holder that runs knows that it has lost the lock before another has it. One that was stopped may
// believe for one line that it still has it; what it writes to the guarded value then is refused, so that tokens grow there with every write.
const kMargin = kLease * 0.2; // the lock is given up that long before its lease ends
function judgeLock(effects) {
  const holders = new Map();
  for (const [kind, token, ...words] of effects) {
    if (kind === 'lock') {
      assert.ok(!holders.has(token), `the token ${token} was given to ${holders.get(token)?.name} and ${words[0]}`);
      holders.set(token, { token, name: words[0], times: [Number(words[1])] });
    } else if (kind === 'held') holders.get(token).times.push(Number(words[0]));
  }
  const inTime = [...holders.values()].sort((a, b) => a.times[0] - b.times[0]);
  for (const [i, { token, name, times }] of inTime.entries()) {
    if (i === 0) continue;
    const before = inTime[i - 1];
    assert.ok(Number(token) > Number(before.token), `${name} got the token ${token} after ${before.name} had got ${before.token}`);
    for (const earlier of inTime.slice(0, i)) {
      const late = earlier.times.findIndex((time, k) => time > times[0] && time - earlier.times[k - 1] < kMargin);
      const by = earlier.times[late] - times[0];
      assert.ok(late < 0, `${earlier.name} (${earlier.token}) had the lock ${by} ms after ${name} (${token}) had got it, and was not stopped`);
    }
  }
  const writes = effects.filter(([kind]) => kind === 'write').map(([, token, revision]) => ({ token: Number(token), revision: Number(revision) }));
  writes.sort((a, b) => a.revision - b.revision || a.token - b.token);
  for (const [i, { token, revision }] of writes.entries()) {
    if (i > 0) assert.ok(token >= writes[i - 1].token, `revision ${revision} was written with the token ${token}, after ${writes[i - 1].token}`);
  }
  return { count: inTime.length, long: inTime.filter(({ times }) => times.at(-1) - times[0] > kLease).length };
}

// A leader of the metadata whose disk was full was seen to know a stream no more that the others have and write to (nats-server 2.9.10): it can be read key by
// key, but not listed.
async function keysOf(store, keys) {
  try {
    return new Set(await store.keys());
  } catch (error) {
    if (!/stream not found/.test(error.message)) throw error;
    console.log(`seed ${seed}: the servers' leader has forgotten a stream`);
  }
  const found = new Set();
  for (const key of keys) if ((await store.get(key)) !== undefined) found.add(key);
  return found;
}

async function judge(mesh, cluster, acknowledged) {
  const effects = readEffects(cluster);
  const done = tally(effects, 'done', (words) => Number(words[1]));
  const missing = [...acknowledged].filter(([id]) => !done.has(id));
  for (const [id, { isNew, at }] of missing.slice(0, 20)) console.error(`job ${id}, ${isNew ? 'new' : 'a duplicate'}, acknowledged at ${new Date(at).toISOString()}`);
  if (missing.length > 0) await explainLoss(cluster, effects, missing);
  assert.strictEqual(missing.length, 0, `${missing.length} acknowledged jobs that nobody did`);

  const keyed = [...acknowledged].filter(([, { key }]) => key !== undefined).map(([, { key }]) => key);
  const stored = await keysOf(mesh.store('effects'), keyed);
  for (const key of keyed) assert.ok(stored.has(key), `no effect of '${key}'`);
  const twice = [...tally(effects, 'effect', (words) => words.slice(1).join(' '))].filter(([, count]) => count > 1);
  assert.deepStrictEqual(twice, [], 'keys with two effects');

  const ordered = [...acknowledged].filter(([, { order }]) => order !== undefined);
  const inOrder = tally(effects, 'order', (words) => Number(words.at(-2)));
  // A job that comes after a later one of its order is refused by the fence: one that is done again, which has its line, or one that the servers had
  // lost and that was pushed again.
  const recovered = new Set(effects.flatMap(([kind, ...sequences]) => (kind === 'recovered' ? sequences : [])));
  const late = effects.filter(([kind, , , id]) => kind === 'late' && !inOrder.has(Number(id)));
  for (const [, , , id, sequence] of late) assert.ok(recovered.has(sequence), `job ${id} of an order came late`);
  const isLate = new Set(late.map(([, , , id]) => Number(id)));
  const without = ordered.filter(([id]) => !inOrder.has(id) && !isLate.has(id)).map(([id]) => id);
  assert.deepStrictEqual(without, [], 'ordered jobs without an effect');

  const holders = judgeLock(effects);
  const beats = [...tally(effects, 'beat', (words) => words[1])].filter(([, count]) => count > 1);
  assert.deepStrictEqual(beats, [], 'times of the timer with two effects');
  const again = [...done.values()].filter((count) => count > 1).length;
  return { again, late: isLate.size, recovered: recovered.size, locks: holders, runs: tally(effects, 'run', (words) => words[1]).size };
}

async function main() {
  for (const name of chosen ?? []) assert.ok(Object.hasOwn(faults, name), `no fault '${name}': ${Object.keys(faults).join(', ')}`);
  const cluster = new Cluster();
  const counts = {};
  let isComplete = false;
  process.on('exit', (code) => {
    if (!isComplete) console.error(cluster.log.join('\n'));
    if (!isComplete) console.error(`seed ${seed}: FAILED${code === 0 ? ': the loop ended' : ''}`);
    if (!isComplete) process.exitCode = 1;
  });
  await cluster.start();
  let mesh;
  while (mesh === undefined) mesh = await connect({ servers: cluster.urls, lease: kLease, silence: 120_000 }).catch(() => sleep(100).then(() => undefined));
  mesh.on('error', (error) => console.error(`mesh: ${error.message}`));
  let republished = 0;
  mesh.on('recovered', ({ sequences }) => (republished += sequences.length));
  await remaining(mesh.queue('jobs', { lease: kLease }));
  for (const machine of cluster.machines) keepWorker(cluster, machine);
  const began = Date.now();
  const disturbing = disturb(cluster, counts);
  const acknowledged = new Map();
  const queue = await produce(mesh, acknowledged);
  const pushed = Date.now();
  while ((await remaining(queue)) > jobs / 10) await sleep(100); // faults while jobs are done, too
  cluster.isCalm = true;
  await disturbing;
  while ((await remaining(queue)) > 0) await sleep(100);
  await allDone(cluster, acknowledged);
  cluster.isOver = true;
  for (const machine of cluster.machines) machine.worker.kill('SIGKILL');
  const { again, late, recovered, locks, runs } = await judge(mesh, cluster, acknowledged);
  const seconds = (from, to) => ((to - from) / 1000).toFixed(1);
  console.log(
    `seed ${seed}: ${acknowledged.size} jobs acknowledged and done (${again} twice, ${recovered + republished} lost by servers and recovered, ${late} of them after a later one of their order), pushed in ${seconds(began, pushed)} s, done in ${seconds(began, Date.now())} s, ` +
      `${locks.count} locks (${locks.long} for longer than a lease), ${runs} times of the timer; ${cluster.hasNetwork ? 'namespaces' : 'loopback'}; ${JSON.stringify(counts)}; ` +
      (cluster.small.hasDisk ? `disk full ${cluster.small.complaints} times` : 'no disk was full: mounting is not allowed'),
  );
  isComplete = true;
  await mesh.close();
  process.exit(0);
}
main();

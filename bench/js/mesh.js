'use strict';
// CPU of one process for a message through a NATS server: rondo:mesh in Rondo, the npm clients (@nats-io/transport-node, @nats-io/jetstream) elsewhere.
//   rondo bench/js/mesh.js nats://127.0.0.1:4222
//   NATS_CLIENT=folder-with-node_modules node bench/js/mesh.js nats://127.0.0.1:4222
// and, in Rondo alone, `rondo bench/js/mesh.js embedded`: the embedded mesh beside a plain worker port.
const path = require('node:path');
const { performance } = require('node:perf_hooks');

const where = process.argv[2] ?? 'embedded';
const scale = Number(process.argv[3] ?? 1);
const kMessages = 200_000 * scale,
  kCalls = 30_000 * scale,
  kJobs = 20_000 * scale;
const runtime = typeof Bun !== 'undefined' ? 'bun' : process.versions.rondo ? 'rondo' : 'node';
const value = (id) => ({ id, text: 'a short text', values: [1, 2.5, true] });
const pad = (text, size) => String(text).padStart(size);

async function measured(name, count, run) {
  const before = process.cpuUsage();
  const begin = performance.now();
  const latencies = await run();
  const { user, system } = process.cpuUsage(before);
  const ms = performance.now() - begin;
  let tail = '';
  if (latencies !== undefined) {
    latencies.sort((a, b) => a - b);
    tail = `  p50 ${(latencies[latencies.length >> 1] * 1000).toFixed(0)} µs  p99 ${(latencies[Math.floor(latencies.length * 0.99)] * 1000).toFixed(0)} µs`;
  }
  console.log(`${runtime} ${name.padEnd(22)} ${pad(((user + system) / count).toFixed(2), 8)} µs CPU ${pad(Math.round((count / ms) * 1000), 9)}/s${tail}`);
}

// Many callers at once, each call after the one before.
async function callers(count, width, call) {
  const latencies = [];
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let i = 0; i < count / width; i++) {
        const begin = performance.now();
        await call(i);
        latencies.push(performance.now() - begin);
      }
    }),
  );
  return latencies;
}

// Messages in bursts, so that neither side's buffers grow without limit.
async function bursts(count, send, received) {
  for (let sent = 0; sent < count; ) {
    for (let i = 0; i < 1000; i++) send(sent++);
    await received(sent);
  }
}

function counter() {
  let count = 0;
  let wait;
  return {
    add() {
      count++;
      if (wait !== undefined && count >= wait.at) wait.resolve();
    },
    until: (at) => (count >= at ? undefined : new Promise((resolve) => (wait = { at, resolve }))),
  };
}

async function onMesh() {
  const { connect } = require('rondo:mesh');
  const options = where === 'embedded' ? {} : { servers: where };
  const [one, two] = [await connect(options), await connect(options)];
  const name = `b${Date.now()}`;
  const seen = counter();
  const source = one.channel(name);
  const target = two.channel(name);
  target.onmessage = ({ data }) => data.id >= 0 && seen.add();
  await two.flush();
  const channel = () => bursts(kMessages, (i) => source.postMessage(value(i)), seen.until);
  await measured('channel', kMessages, channel);
  await two.serve(name, (args) => args.id);
  await measured('call, 1 at once', kCalls / 4, () => callers(kCalls / 4, 1, (i) => one.call(name, value(i))));
  await measured('call, 64 at once', kCalls, () => callers(kCalls, 64, (i) => one.call(name, value(i))));
  const queue = one.queue(name);
  await queue.count();
  await measured('queue: push', kJobs, () => callers(kJobs, 100, (i) => queue.push(value(i))));
  await measured('queue: work and done', kJobs, async () => {
    let done = 0;
    for await (const job of two.queue(name).work({ concurrency: 200 })) {
      job.done();
      if (++done === kJobs) break;
    }
  });
  await Promise.all([one.close(), two.close()]);
}

async function onClient() {
  const load = (id) => require(require.resolve(id, { paths: [path.resolve(process.env.NATS_CLIENT ?? '.')] }));
  const { connect } = load('@nats-io/transport-node');
  const { jetstream, jetstreamManager } = load('@nats-io/jetstream');
  const [one, two] = [await connect({ servers: where }), await connect({ servers: where })];
  const name = `b${Date.now()}`;
  const seen = counter();
  two.subscribe(`c.${name}`, { callback: (_, message) => message.json().id >= 0 && seen.add() });
  await two.flush();
  await measured('channel', kMessages, () => bursts(kMessages, (i) => one.publish(`c.${name}`, JSON.stringify(value(i))), seen.until));
  two.subscribe(`r.${name}`, { queue: 'q', callback: (_, message) => message.respond(JSON.stringify(message.json().id)) });
  await two.flush();
  const call = async (i) => (await one.request(`r.${name}`, JSON.stringify(value(i)), { timeout: 30_000 })).json();
  await measured('call, 1 at once', kCalls / 4, () => callers(kCalls / 4, 1, call));
  await measured('call, 64 at once', kCalls, () => callers(kCalls, 64, call));
  const manager = await jetstreamManager(one);
  await manager.streams.add({ name, subjects: [`q.${name}`], retention: 'workqueue' });
  await manager.consumers.add(name, { durable_name: 'w', ack_policy: 'explicit', max_ack_pending: -1 });
  const js = jetstream(one);
  let number = 0;
  await measured('queue: push', kJobs, () =>
    callers(kJobs, 100, (i) => js.publish(`q.${name}`, JSON.stringify(value(i)), { msgID: `${name}${number++}` })),
  );
  const consumer = await jetstream(two).consumers.get(name, 'w');
  await measured('queue: work and done', kJobs, async () => {
    let done = 0;
    for await (const message of await consumer.consume({ max_messages: 200 })) {
      message.json();
      message.ack();
      if (++done === kJobs) break;
    }
  });
  await Promise.all([one.drain(), two.drain()]);
}

// The other side of the embedded comparison: a worker that sends back.
const kEcho = `
const { parentPort, workerData } = require('node:worker_threads');
if (workerData === 'port') parentPort.on('message', (data) => parentPort.postMessage(data.id));
else {
  const { channel, flush } = require('rondo:mesh');
  const [there, back] = [channel('there'), channel('back')];
  there.onmessage = ({ data }) => back.postMessage(data.id);
  flush().then(() => parentPort.postMessage('ready'));
}`;

async function besidePorts() {
  const { Worker } = require('node:worker_threads');
  const { channel } = require('rondo:mesh');
  const plain = new Worker(kEcho, { eval: true, workerData: 'port' });
  const plainSeen = counter();
  plain.on('message', () => plainSeen.add());
  plain.postMessage(value(0));
  await plainSeen.until(1);
  await measured('port, there and back', kMessages, () => bursts(kMessages, (i) => plain.postMessage(value(i)), (at) => plainSeen.until(at + 1)));
  await plain.terminate();
  const worker = new Worker(kEcho, { eval: true, workerData: 'mesh' });
  const [there, back] = [channel('there'), channel('back')];
  await new Promise((resolve) => worker.once('message', resolve));
  const seen = counter();
  back.onmessage = () => seen.add();
  await measured('mesh, there and back', kMessages, () => bursts(kMessages, (i) => there.postMessage(value(i)), seen.until));
  there.close();
  back.close();
  await worker.terminate();
}

(async () => {
  if (runtime !== 'rondo') return onClient();
  await onMesh();
  if (where === 'embedded') await besidePorts();
})().then(() => process.exit(0));

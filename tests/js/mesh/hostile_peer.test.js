'use strict';
// A peer that sends what it likes to the subjects of the mesh: changed, cut and invented messages are values or errors, never more. A failure prints its seed.
const assert = require('node:assert');
const { complete, hasNats, startNats, until } = require('../../fixtures/mesh');
const { RawNats } = require('../../fixtures/raw_nats');
const { connect } = require('rondo:mesh');

const samples = [
  { a: 1, b: [1.5, 'two', null], c: { d: undefined } },
  [new Date(1), new Map([[{}, new Set(['x', 5n])]]), /a+(b)/giu, -(2n ** 200n)],
  [new Uint8Array([1, 2, 3]), new Float64Array([1, Number.NaN]), new DataView(new ArrayBuffer(9)), new ArrayBuffer(8, { maxByteLength: 64 })],
  [new TypeError('t', { cause: { why: [1] } }), Object(1), Object('s'), Object(true), Object(3n), 'wide ☃ text'],
  Object.assign([1, , 3], { more: true }),
  Array.from({ length: 12 }, (_, i) => ({ name: `n${i}`, value: i })),
];
samples.push({ loop: samples[0], again: samples[0] });

function random(seed) {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

function changed(bytes, next) {
  const copy = Buffer.from(bytes);
  for (let count = 1 + Math.floor(next() * 4); count > 0; count--) {
    const at = Math.floor(next() * copy.length);
    const how = next();
    if (how < 0.4) copy[at] = Math.floor(next() * 256);
    else if (how < 0.6) copy[at] = Math.floor(next() * 36); // a tag
    else if (how < 0.8) copy.writeUInt8(255, at);
    else return Buffer.concat([copy.subarray(0, at), copy.subarray(Math.floor(next() * copy.length))]);
  }
  return copy;
}

function invented() {
  const u32 = (n) => Buffer.from(new Uint32Array([n]).buffer);
  const u64 = (n) => Buffer.from(new BigUint64Array([BigInt(n)]).buffer);
  const of = (...parts) => Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : part)));
  const list = [Buffer.alloc(0), of(1), of(2, 0), of(255), of(1, 99)];
  list.push(of(1, 7, u32(1 << 30))); // a string of 1 GB
  list.push(of(1, 12, u32(0xffffffff))); // an array of 4 G
  list.push(of(1, 23, u64(1 << 30))); // a buffer of 1 GB
  list.push(of(1, 24, u64(2n ** 40n), u64(0))); // that may grow to 1 TB
  list.push(of(1, 21, u32(3), 0, 0, 0)); // a Map with a key alone
  list.push(of(1, 9, u32(0))); // a reference to nothing
  list.push(of(1, 27, 2, 0, u64(0), u64(8), 23, u64(4), u32(0))); // a view beyond its buffer
  list.push(of(1, 27, 2, 0, u64(0), u64(0), 9, u32(0))); // a view on itself
  list.push(of(1, 27, 2, 1, u64(0), u64(0), 23, u64(0))); // that follows a buffer of fixed length
  list.push(of(1, 25, u32(0)), of(1, 26, u32(0)), of(1, 30, 7, u32(0), 0), of(1, 32, u32(0)), of(1, 33, u32(0)));
  list.push(of(1, 6, 0, u32(1), u64(0))); // a BigInt with a zero in front
  list.push(of(1, 20, 1, u32(1), Buffer.from('('), 1, u32(0))); // a RegExp that is none
  const nan = Buffer.from('efcdab8967f5ffff', 'hex');
  list.push(of(1, 15, nan), of(1, 17, nan), of(1, 5, nan)); // NaNs with a payload
  // A name twice: what comes behind must not be read as something else.
  list.push(of(1, 12, u32(2), ...[0, 1].flatMap(() => [11, u32(16), u32(2), 1, u32(1), Buffer.from('a'), 1, u32(1), Buffer.from('a'), 4, u32(1), 4, u32(2)]), u32(0)));
  let deep = of(1);
  for (let i = 0; i < 100_000; i++) deep = i % 1000 === 0 ? of(deep, Buffer.concat(Array.from({ length: 1000 }, () => of(12, u32(1))))) : deep;
  list.push(deep.subarray(0, 900_000));
  return list;
}

async function main() {
  if (!hasNats) return console.log('skipped: nats-server is not installed');
  const server = await startNats();
  const mesh = await connect({ servers: server.url });
  const raw = await RawNats.connect(server.port);

  const encoded = [];
  raw.subscribe('rondo.c.samples', ({ body }) => encoded.push(body));
  await raw.flush();
  const source = mesh.channel('samples');
  for (const sample of samples) source.postMessage(sample);
  await until(() => encoded.length === samples.length);

  const target = mesh.channel('target');
  let good = 0,
    bad = 0;
  target.onmessage = ({ data }) => {
    good++;
    // It is a value like any other.
    require('node:util').inspect(data, { depth: 5 });
    structuredClone(data);
  };
  target.onmessageerror = ({ data }) => {
    bad++;
    assert.strictEqual(data.code, 'ERR_MESH_BAD_MESSAGE');
  };
  await mesh.flush();
  const strange = invented();
  for (const bytes of strange) raw.publish('rondo.c.target', bytes);
  await until(() => good + bad === strange.length);
  assert.ok(good <= 4, `${good} of the invented ones were taken`);

  const first = Number(process.env.RONDO_SEED ?? 1);
  const count = Number(process.env.RONDO_SEEDS ?? 3000);
  process.once('exit', (code) => code !== 0 && console.error(`seeds ${first} to ${first + count - 1}`));
  good = bad = 0;
  for (let seed = first; seed < first + count; seed++) {
    const next = random(seed);
    raw.publish('rondo.c.target', changed(encoded[seed % encoded.length], next));
    if (seed % 500 === 0) await raw.flush();
  }
  await until(() => good + bad === count);
  assert.ok(good > 0 && bad > count / 4, `${good} taken, ${bad} refused`);

  // Requests, answers and headers that are none.
  const seen = [];
  await mesh.serve('echo', (args) => (seen.push(args), args));
  for (const bytes of strange) raw.publish('rondo.r.echo', bytes, { reply: 'x.y' });
  raw.publish('rondo.r.echo', encoded[0]); // without a reply
  raw.publish('rondo.r.echo', encoded[0], { reply: 'a', headers: `traceparent: ${'z'.repeat(55)}\r\n` });
  raw.publish('rondo.x.echo', Buffer.from([1]));
  raw.publish('rondo.c.target', encoded[0], { headers: 'traceparent: short\r\nRondo-From: \r\n' });
  await raw.flush();
  assert.strictEqual(await mesh.call('echo', 5), 5);
  assert.deepStrictEqual(seen, [5]);
  raw.subscribe('rondo.r.liar', ({ reply }) => raw.publish(reply, Buffer.from([9, 9])));
  await raw.flush();
  await assert.rejects(mesh.call('liar', 1), { code: 'ERR_MESH_BAD_MESSAGE' });

  // A job that cannot be read is a dead one, and the next is done.
  const queue = mesh.queue('poison');
  await queue.count();
  raw.publish('rondo.q.poison.w', Buffer.from('garbage'), { headers: 'Rondo-Key: =ZZ\r\nRondo-Due: soon\r\n' });
  await raw.flush();
  await queue.push('fine');
  for await (const job of queue.work()) {
    assert.strictEqual(job.value, 'fine');
    await job.done();
    break;
  }
  for await (const job of queue.dead()) {
    assert.match(job.reason, /cannot be read/);
    await job.done();
    break;
  }
  raw.close();
  await mesh.close();
  await server.stop();
}
complete(main);

'use strict';
// A server that answers with what is nearly right: changed bytes, wrong lengths, JSON of other shapes. Every call ends with a value or an error of the mesh
// when the mesh is closed, at the latest; nothing is thrown elsewhere. A failure prints its seed; RONDO_SEED and RONDO_SEEDS choose others.
const assert = require('node:assert');
const net = require('node:net');
const { complete } = require('../../fixtures/mesh');
const { randomOf } = require('../../fixtures/seeded_random.js');
const { connect } = require('rondo:mesh');

const kInfo = 'INFO {"server_id":"a","headers":true,"jetstream":true,"max_payload":1048576}\r\n';
const kShapes = [null, 1, -1, 1e300, true, '', 'x', [], {}, [null], { seq: null }, '9'.repeat(30), { data: 5, seq: -1, hdrs: {} }];
const kFields = ['config', 'state', 'error', 'seq', 'message', 'stream', 'duplicate', 'name', 'cluster', 'num_pending', 'delivered', 'consumers', 'max_age', 'description', 'subjects', 'type'];

// JSON as JetStream answers it, with values of any shape.
function answer(random, depth = 0) {
  const made = {};
  for (let i = random(5); i >= 0; i--) {
    const isDeep = depth < 3 && random(3) === 0;
    made[kFields[random(kFields.length)]] = isDeep ? answer(random, depth + 1) : kShapes[random(kShapes.length)];
  }
  return made;
}
// What the subject asks for, three times of four as it should be.
function likely(random, subject) {
  const stream = { config: { max_age: 1e9, description: '{"rondo":1,"partitions":1,"lease":1000}', name: 'x', subjects: ['a'] }, created: 'then', state: { messages: 1, first_seq: 1, last_seq: 5 } };
  const message = { seq: random(10), subject: '$KV.rondo_s_s.k', data: Buffer.from([1, random(36), random(256)]).toString('base64'), hdrs: btoa('NATS/1.0\r\nRondo-Key: k\r\n\r\n'), time: '' };
  const consumer = { name: 'c', num_pending: random(2), delivered: { consumer_seq: 0, stream_seq: 0 }, ack_floor: { stream_seq: 0 } };
  const failure = { error: { code: 400 + random(120), err_code: [10037, 10059, 10071, 10008, 10014, 10077][random(6)], description: kShapes[random(kShapes.length)] } };
  const known = [
    [/STREAM\.MSG\.GET/, { message }],
    [/CONSUMER/, consumer],
    [/API\.STREAM/, stream],
    [/./, { stream: 'x', seq: 1 + random(10), duplicate: random(4) === 0 }],
  ].find(([pattern]) => pattern.test(subject))[1];
  return [known, known, known, known, known, failure, answer(random), { ...known, ...answer(random) }][random(8)];
}

function frame(random, subject, sid, asked) {
  const bodies = [() => JSON.stringify(answer(random)), () => JSON.stringify(kShapes[random(kShapes.length)]), () => '{', () => '', () => '+NAK'];
  const body = random(6) > 0 ? JSON.stringify(likely(random, asked)) : bodies[random(bodies.length)]();
  const status = ['', '', ' 100 Idle Heartbeat', ' 404', ' 408 Timeout', ' 409', ' 503', ' 99999999999', ' x'][random(9)];
  const headers = [`NATS/1.0${status}\r\nNats-Msg-Id: 1\r\nRondo-Code: x\r\n\r\n`, `NATS/1.0${status}\r\n\r\n`, 'NATS/1.0', '\0\r\n\r\n', `NATS/1.0${status}\r\ntraceparent: 00-\r\n: \r\n\r\n`][random(5)];
  const reply = ['', '$JS.ACK.s.c.1.2.3.4.5', '$JS.ACK.....', '$JS.ACK.s.c.-1.x.1.1e9.0', 'x'.repeat(300)][random(5)];
  if (random(6) > 0) return `MSG ${subject} ${sid} ${reply}${reply === '' ? '' : ' '}${body.length}\r\n${body}\r\n`;
  return `HMSG ${subject} ${sid} ${reply}${reply === '' ? '' : ' '}${headers.length} ${headers.length + body.length}\r\n${headers}${body}\r\n`;
}

function changed(random, text) {
  const bytes = Buffer.from(text, 'latin1');
  for (let i = random(3); i >= 0; i--) bytes[random(bytes.length)] = random(3) === 0 ? 48 + random(10) : random(256);
  return bytes;
}

// Answers each request; onQuiet() when none has come for a moment.
function serveBadly(random, onQuiet) {
  let quiet;
  const server = net.createServer((socket) => {
    const subscriptions = [];
    const sidOf = (subject) => subscriptions.find(([pattern]) => pattern === subject || (pattern.endsWith('*') && subject.startsWith(pattern.slice(0, -1))))?.[1] ?? 1;
    socket.on('error', () => {});
    socket.write(kInfo);
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      clearTimeout(quiet);
      if (subscriptions.length > 0 || text.includes('SUB ')) quiet = setTimeout(onQuiet, 200);
      for (const [, pattern, sid] of text.matchAll(/^SUB (\S+) .*?(\d+)\r$/gm)) subscriptions.push([pattern, Number(sid)]);
      for (let i = text.split('PING\r\n').length; i > 1; i--) socket.write('PONG\r\n');
      for (const [, subject, reply] of text.matchAll(/^H?PUB (\S+) +(?:(\S+\.\S+) +)?\d+(?: +\d+)?\r$/gm)) {
        const to = reply === undefined ? subject : reply;
        for (const [pattern, sid] of subscriptions) if (random(6) === 0) socket.write(frame(random, pattern.replace('*', '2'), sid, subject), 'latin1');
        const sent = frame(random, to, random(20) === 0 ? random(20) : sidOf(to), subject);
        socket.write(random(30) === 0 ? changed(random, sent) : Buffer.from(sent, 'latin1'));
      }
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function session(seed) {
  const random = randomOf(seed);
  let quiet = () => {};
  const server = await serveBadly(random, () => quiet());
  const mesh = await connect({ servers: `127.0.0.1:${server.address().port}`, lease: 300 });
  for (const event of ['error', 'warning', 'disconnected', 'connected', 'recovered']) mesh.on(event, () => {});
  const news = mesh.channel('news');
  news.onmessage = news.onmessageerror = () => {};
  const asked = [
    mesh.call('sum', [1, 2]),
    mesh.serve('sum', () => 3),
    mesh.queue('jobs').push(1),
    mesh.queue('jobs').push(1, { key: 'k', order: 'o', delay: 5 }),
    mesh.queue('jobs').count(),
    mesh.queue('jobs').work().next(),
    mesh.queue('jobs').dead().next(),
    mesh.store('s').get('k'),
    mesh.store('s').set('k', 1),
    mesh.store('s').set('k', 1, { fence: 5 }),
    mesh.store('s').entries(),
    mesh.store('s').watch().next(),
    mesh.lock('l', () => {}),
    mesh.leader('l'),
    mesh.timer('t', { every: 20 }, () => {}),
    mesh.peers(),
  ].map((one) => Promise.resolve(one));
  const isQuiet = new Promise((resolve) => (quiet = resolve));
  await Promise.race([isQuiet, Promise.allSettled(asked)]);
  const unsettled = new Set(asked.keys());
  asked.forEach((one, i) => one.finally(() => unsettled.delete(i)).catch(() => {}));
  await mesh.close();
  const patience = setTimeout(() => console.error(`seed ${seed}: ${[...unsettled].join(', ')} of the calls do not end`), 30_000);
  for (const { reason, status } of await Promise.allSettled(asked)) {
    if (status === 'rejected') assert.match(`${reason?.code}`, /^ERR_MESH_/, reason);
  }
  clearTimeout(patience);
  server.close();
}

complete(async () => {
  const first = Number(process.env.RONDO_SEED ?? 1);
  const count = Number(process.env.RONDO_SEEDS ?? 100);
  const running = new Set();
  process.once('exit', (code) => code !== 0 && console.error(`one of the seeds ${[...running].join(', ')}`));
  let next = first;
  const several = async () => {
    while (next < first + count) {
      const seed = next++;
      running.add(seed);
      await session(seed);
      running.delete(seed);
    }
  };
  await Promise.all(Array.from({ length: 10 }, several));
});

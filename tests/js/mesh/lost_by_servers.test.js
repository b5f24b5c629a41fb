'use strict';
// Servers of a cluster that lose something, or answer with something that is not so yet: the answers are those that nats-server 2.9.10 and 2.10.27 were seen to give.
const assert = require('node:assert');
const { FakeNats } = require('../../fixtures/fake_nats');
const { complete, until } = require('../../fixtures/mesh');
const { connect } = require('rondo:mesh');

const idOf = ({ header }) => /Nats-Msg-Id: (.*)\r\n/.exec(header)[1];
const isJob = ({ subject }) => subject.startsWith('rondo.q.');
const json = ({ body }) => JSON.parse(body);

async function withServer(answer, run, options) {
  const server = await FakeNats.start(answer, options);
  const mesh = await connect({ servers: server.url });
  try {
    await run(mesh, server);
  } finally {
    await mesh.close();
    await server.close();
  }
}

// A duplicate of a job that is not stored: number 0 (2.10), or an error of its own (2.12). Neither is an acknowledgement.
async function notStoredYet() {
  const answers = [{ seq: 0, duplicate: true }, { error: { code: 409, err_code: 10158, description: 'duplicate message id is in process' } }, { seq: 7 }];
  await withServer(
    (request) => (isJob(request) ? answers.shift() : undefined),
    async (mesh, server) => {
      assert.strictEqual(await mesh.queue('slow').push('job'), true);
      assert.strictEqual(answers.length, 0);
      assert.strictEqual(new Set(server.requests.filter(isJob).map(idOf)).size, 1);
    },
  );
}

// A server that has switched JetStream off, since its disk is full, or that has no leader for it: it was there before, and comes again.
async function switchedOff() {
  const answers = [{ seq: 1 }, { error: { code: 503, err_code: 10076, description: 'JetStream not enabled' } }, { seq: 2 }];
  await withServer(
    (request) => (isJob(request) ? answers.shift() : undefined),
    async (mesh, server) => {
      const queue = mesh.queue('off');
      await queue.push('first');
      server.sayNoJetStream();
      assert.strictEqual(await queue.push('second'), true);
      assert.strictEqual(answers.length, 0);
    },
  );
}

// A number that was given to an acknowledged job comes again: the stream has lost that job and those behind it.
async function numbersComeAgain() {
  const numbers = [1, 2, 3, 4, 3, 4, 5];
  const info = { config: { num_replicas: 3, description: '{"rondo":1,"partitions":0,"lease":30000}' }, created: 'then', state: { last_seq: 99 } };
  await withServer(
    (request) => {
      if (isJob(request)) return { seq: numbers.shift() };
      return request.subject.startsWith('$JS.API.STREAM.INFO.RONDO_Q') ? info : undefined;
    },
    async (mesh, server) => {
      const recovered = new Promise((resolve) => mesh.once('recovered', resolve));
      const queue = mesh.queue('back');
      for (const job of ['a', 'b', 'c', 'd', 'e']) await queue.push(job);
      assert.deepStrictEqual(await recovered, { queue: 'back', sequences: [3, 4] });
      const ids = server.requests.filter(isJob).map(idOf);
      assert.deepStrictEqual(ids.slice(5), ids.slice(2, 4)); // c and d, under their ids, in their order
    },
  );
}

// A duplicate of a write that is not in the bucket any more: a revision that was asked for is not the last one, and without one it is written again.
async function duplicateOfALostWrite() {
  const write = ({ subject }) => subject.startsWith('$KV.rondo_s_kept.');
  const stored = (seq, id) => ({ message: { seq, subject: 's', hdrs: btoa(`NATS/1.0\r\nNats-Msg-Id: ${id}\r\n\r\n`), data: '' } });
  let last; // what the leader has
  await withServer(
    (request, server) => {
      if (request.subject === '$JS.API.STREAM.MSG.GET.KV_rondo_s_kept') return last?.(server);
      if (!write(request)) return undefined;
      return server.requests.filter(write).length <= 3 ? { seq: 7, duplicate: true } : { seq: 8 };
    },
    async (mesh, server) => {
      const store = mesh.store('kept');
      last = () => stored(7, 'of another');
      await assert.rejects(store.set('key', 1, { revision: 6 }), { code: 'ERR_MESH_REVISION' });
      last = (fake) => stored(7, idOf(fake.requests.filter(write).at(-1)));
      assert.strictEqual(await store.set('key', 2, { revision: 6 }), 7);
      last = undefined; // nothing at all
      assert.strictEqual(await store.set('key', 3), 8);
      const ids = server.requests.filter(write).map(idOf);
      assert.strictEqual(new Set(ids).size, 4, `${ids}`);
    },
  );
}

// nats-server 2.9 stores all that follow one revision at the same moment, if their ids differ: they have the same id, and the first is the one.
async function writesBehindOneRevision() {
  const write = ({ subject }) => subject === '$KV.rondo_s_cas.key';
  const writeOf = ({ header }) => /Rondo-Write: (.*)\r\n/.exec(header)[1];
  const stored = new Map(); // Nats-Msg-Id -> { seq, header }
  let last;
  let isLost = false;
  const run = async (mesh, server) => {
    const store = mesh.store('cas');
    assert.strictEqual(await store.set('key', 'first'), 1);
    const results = await Promise.allSettled(['a', 'b', 'c'].map((value) => store.set('key', value, { revision: 1 })));
    assert.deepStrictEqual(results.map(({ value, reason }) => value ?? reason.code), [2, 'ERR_MESH_REVISION', 'ERR_MESH_REVISION']);
    const [first, ...guarded] = server.requests.filter(write);
    assert.strictEqual(new Set(guarded.map(idOf)).size, 1);
    assert.strictEqual(new Set(guarded.map(writeOf)).size, 3);
    assert.ok(!first.header.includes('Rondo-Write'));
    // The servers lose that write, but not its id: another one may follow the revision.
    isLost = true;
    assert.strictEqual(await store.set('key', 'd', { revision: 1 }), 3);
  };
  const answer = (request) => {
    if (request.subject.startsWith('$JS.API.STREAM.MSG.GET.KV_rondo_s_cas')) {
      const [seq, header] = isLost && last.seq === 2 ? [1, 'NATS/1.0\r\n\r\n'] : [last.seq, last.header];
      return { message: { seq, subject: '$KV.rondo_s_cas.key', hdrs: btoa(header), data: '' } };
    }
    if (!write(request)) return undefined;
    const before = stored.get(idOf(request));
    if (before !== undefined) return { seq: before.seq, duplicate: true };
    last = { seq: stored.size + 1, header: request.header };
    stored.set(idOf(request), last);
    return { seq: last.seq };
  };
  await withServer(answer, run, { version: '2.9.10' });
}

// A lock's write that was acknowledged, while the leader has another's: that one holds it.
async function acknowledgedToTwo() {
  let stored; // the body that the leader has, and its number
  let isOurs = false;
  await withServer(
    ({ subject, body }) => {
      if (subject.startsWith('$JS.API.STREAM.INFO.KV_rondo_locks')) return { config: { max_age: 10_000 * 1e6, num_replicas: 3 }, state: {} };
      if (subject === '$JS.API.STREAM.MSG.GET.KV_rondo_locks' && stored) return { message: { seq: 5, subject: 's', hdrs: btoa('NATS/1.0\r\n'), data: stored } };
      if (subject.startsWith('$KV.rondo_tokens.')) return { seq: 1 };
      if (!subject.startsWith('$KV.rondo_locks.')) return undefined;
      stored = isOurs ? body.toString('base64') : '!';
      return { seq: 5 };
    },
    async (mesh) => {
      assert.strictEqual(await mesh.lock('both', { ifAvailable: true }, (lock) => lock), null);
      stored = undefined;
      isOurs = true;
      assert.ok((await mesh.lock('both', { ifAvailable: true }, (lock) => lock)).token > 0);
    },
  );
}

// The producer has nothing more to push: the stream's end tells it.
async function streamEndsEarlier() {
  let stored = 0;
  let last = 3;
  const config = { num_replicas: 3, description: '{"rondo":1,"partitions":0,"lease":30000}' };
  await withServer(
    (request) => {
      if (isJob(request)) return { seq: ++stored > 3 ? ++last : stored };
      return request.subject.startsWith('$JS.API.STREAM.INFO.RONDO_Q') ? { config, created: 'then', state: { last_seq: last } } : undefined;
    },
    async (mesh) => {
      const queue = mesh.queue('short');
      for (const job of ['a', 'b', 'c']) await queue.push(job);
      const recovered = new Promise((resolve) => mesh.once('recovered', resolve));
      last = 1;
      assert.deepStrictEqual(await recovered, { queue: 'short', sequences: [2, 3] });
    },
  );
}

// A stream that was deleted and made again has lost its jobs because somebody wanted it.
async function madeAnew() {
  const numbers = [1, 2, 1, 2];
  let created = 'then';
  const config = { num_replicas: 3, description: '{"rondo":1,"partitions":0,"lease":30000}' };
  await withServer(
    (request) => {
      if (isJob(request)) return { seq: numbers.shift() };
      return request.subject.startsWith('$JS.API.STREAM.INFO.RONDO_Q') ? { config, created, state: { last_seq: 99 } } : undefined;
    },
    async (mesh, server) => {
      mesh.on('recovered', () => assert.fail('nothing was lost'));
      const queue = mesh.queue('new');
      await queue.push('a');
      await queue.push('b');
      created = 'now';
      await queue.push('c');
      await queue.push('d');
      assert.strictEqual(server.requests.filter(isJob).length, 4);
    },
  );
}

// A message below the number up to which all is acknowledged, found twice, is pushed again with its headers and its number.
async function stranded() {
  const hdrs = Buffer.from('NATS/1.0\r\ntraceparent: t\r\nRondo-Key: k\r\nNats-Msg-Id: k.k\r\n\r\n').toString('base64');
  let isThere = true;
  await withServer(
    (request, server) => {
      const { subject } = request;
      if (isJob(request)) return { seq: 50 };
      if (subject.includes('CONSUMER.INFO')) return { ack_floor: { stream_seq: 40 } };
      if (subject.includes('STREAM.MSG.GET.RONDO_Q') && isThere && json(request).seq <= 12) {
        return { message: { seq: 12, subject: 'rondo.q.left.w', hdrs, data: Buffer.from('x').toString('base64') } };
      }
      if (subject.includes('STREAM.MSG.DELETE')) isThere = false;
      if (subject.includes('MSG.NEXT')) setTimeout(() => server.deliver(request.reply, request.reply, undefined, ' 408 Request Timeout', ''), 100);
      return undefined;
    },
    async (mesh, server) => {
      const recovered = new Promise((resolve) => mesh.once('recovered', resolve));
      const worker = mesh.queue('left').work();
      worker.next();
      assert.deepStrictEqual(await recovered, { queue: 'left', sequences: [12] });
      const [again] = server.requests.filter(isJob);
      assert.match(again.header, /^NATS\/1.0\r\ntraceparent: t\r\nRondo-Key: k\r\nRondo-Sequence: 12\r\nNats-Msg-Id: s.12.12\r\n/);
      assert.strictEqual(`${again.body}`, 'x');
      assert.deepStrictEqual(server.of('$JS.API.STREAM.MSG.DELETE').map(json), [{ seq: 12, no_erase: true }]);
      await worker.return();
    },
  );
}

// A number that is out, while all messages of the stream lie behind it, is acknowledged: the consumer would never pass it.
async function outButGone() {
  const info = { config: { num_replicas: 3, description: '{"rondo":1,"partitions":0,"lease":30000}' }, created: 'then' };
  const isAck = ({ subject }) => subject.startsWith('$JS.ACK.');
  let looks = 0;
  await withServer(
    (request, server) => {
      const { subject } = request;
      if (subject.includes('CONSUMER.INFO')) {
        looks++;
        return { ack_floor: { stream_seq: 40 }, num_ack_pending: server.words.some(isAck) ? 0 : 1 };
      }
      if (subject.includes('MSG.NEXT')) setTimeout(() => server.deliver(request.reply, request.reply, undefined, ' 408 Request Timeout', ''), 100);
      return subject === '$JS.API.STREAM.INFO.RONDO_Q_gone' ? { ...info, state: { first_seq: 50, last_seq: 99 } } : undefined;
    },
    async (mesh, server) => {
      const worker = mesh.queue('gone').work();
      worker.next();
      await until(() => server.words.some(isAck));
      assert.strictEqual(looks, 2);
      assert.deepStrictEqual(server.words.filter(isAck).map(({ subject, body }) => [subject, `${body}`]), [['$JS.ACK.RONDO_Q_gone.w.1.41.1.0.0', '+ACK']]);
      await worker.return();
    },
  );
}

// A consumer on a server that is behind has nothing to send; the stream's leader has a value.
async function behind() {
  let asked = 0;
  const header = 'NATS/1.0\r\n\r\n';
  await withServer(
    (request, server) => {
      const { subject } = request;
      if (subject.startsWith('$JS.API.CONSUMER.CREATE.KV_rondo_s_late') && ++asked > 1) {
        const { deliver_subject: to } = json(request).config;
        setImmediate(() => server.deliver(to, '$KV.rondo_s_late.key', '$JS.ACK.KV_rondo_s_late.c.1.9.1.0.0', '', ''));
        return { name: 'c', num_pending: 1, delivered: { consumer_seq: 0 } };
      }
      if (!subject.startsWith('$JS.API.STREAM.MSG.GET.KV_rondo_s_late')) return undefined;
      return { message: { seq: 9, subject: '$KV.rondo_s_late.key', hdrs: Buffer.from(header).toString('base64'), data: '' } };
    },
    async (mesh) => assert.deepStrictEqual(await mesh.store('late').keys(), ['key']),
  );
}

// The first answer to a write is lost; the server compares revisions before ids and refuses the second attempt.
async function refusedAlthoughWritten() {
  let attempts = 0;
  let id;
  await withServer(
    (request) => {
      if (request.subject === '$KV.rondo_s_cas.key') {
        id = idOf(request);
        return ++attempts === 1
          ? { error: { code: 503, err_code: 10008, description: 'temporarily unavailable' } }
          : { error: { code: 400, err_code: 10071, description: 'wrong last sequence: 5' } };
      }
      if (!request.subject.startsWith('$JS.API.STREAM.MSG.GET.KV_rondo_s_cas')) return undefined;
      return { message: { seq: 5, subject: '$KV.rondo_s_cas.key', hdrs: Buffer.from(`NATS/1.0\r\nNats-Msg-Id: ${id}\r\n\r\n`).toString('base64'), data: '' } };
    },
    async (mesh) => assert.strictEqual(await mesh.store('cas').set('key', 1, { revision: 4 }), 5),
  );
}

complete(() => Promise.all([notStoredYet(), switchedOff(), numbersComeAgain(), streamEndsEarlier(), madeAnew(), stranded(), outButGone(), behind(), refusedAlthoughWritten(), duplicateOfALostWrite(), writesBehindOneRevision(), acknowledgedToTwo()]));

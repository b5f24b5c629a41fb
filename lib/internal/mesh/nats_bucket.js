// natives: structured_clone
// A key-value bucket as NATS has them: a stream with one message a key, whose sequence is the key's revision. `nats kv` shows the same.
'use strict';

const { decode, encode } = native('structured_clone');
const { Buffer } = require('internal/buffer/buffer');
const { MeshError } = require('internal/mesh/errors');
const { checkFields, kNanoseconds } = require('internal/mesh/jetstream');

const kHeartbeat = 5000;
const kCatchUp = 1000; // ms for a server that is behind
const kAttempts = 5; // to write behind a revision of which a write was lost

function headerOf(text, name) {
  const at = stringIndexOf.call(text, `\r\n${name}: `);
  if (at < 0) return undefined;
  const begin = at + name.length + 4;
  return stringSlice.call(text, begin, stringIndexOf.call(text, '\r\n', begin));
}

// { token, revision, value, isDeleted, fence }; a value that cannot be read is an error in its place.
function entryOf(token, revision, header, bytes, begin, end) {
  const isDeleted = headerOf(header, 'KV-Operation') !== undefined;
  const entry = { token, revision, value: undefined, isDeleted, error: undefined, fence: Number(headerOf(header, 'Rondo-Fence') ?? 0) };
  if (isDeleted) return entry;
  try {
    entry.value = decode(bytes, begin, end);
  } catch (error) {
    entry.error = new MeshError('ERR_MESH_BAD_MESSAGE', `The value of ${token} in the store cannot be read: ${error.message}`, {
      cause: error,
    });
  }
  return entry;
}

function notLast(last, expected) {
  const error = new MeshError('ERR_MESH_REVISION', `The last revision is ${last}, not ${expected}`);
  error.last = last;
  return error;
}

class NatsBucket {
  #js;
  #name;
  #stream;
  #newId;
  #watchers = new Set();

  constructor(js, name, newId) {
    this.#js = js;
    this.#name = name;
    this.#stream = `KV_${name}`;
    this.#newId = newId;
  }

  // ttl: ms after which an entry that is not written again goes; the one who makes the bucket decides.
  async open(ttl) {
    const info = await this.#js.stream({
      name: this.#stream,
      subjects: [`$KV.${this.#name}.>`],
      retention: 'limits',
      storage: 'file',
      discard: 'new',
      max_msgs_per_subject: 1,
      max_age: ttl * kNanoseconds,
      duplicate_window: (ttl > 0 ? Math.min(ttl, 120_000) : 120_000) * kNanoseconds,
      allow_rollup_hdrs: true,
      deny_delete: true,
    });
    this.ttl = checkFields(info.config, [], ['max_age']).max_age / kNanoseconds;
    return this;
  }

  get isCluster() {
    return this.#js.isCluster;
  }

  async get(token) {
    const last = await this.#last(token);
    return last && entryOf(token, last.seq, last.header, last.bytes, 0, last.bytes.length);
  }
  #last(token) {
    return this.#js.message(this.#stream, { last_by_subj: `$KV.${this.#name}.${token}` });
  }

  // The new revision. `expected`: the revision that must be the last one; 0 for none; undefined for any.
  async put(token, value, expected, options) {
    return this.#write(token, encode(value), expected, '', options);
  }
  async remove(token, expected, options) {
    return this.#write(token, Buffer.alloc(0), expected, 'KV-Operation: PURGE\r\nNats-Rollup: sub\r\n', options);
  }

  async #write(token, bytes, expected, header, options) {
    let lines = header;
    const id = this.#newId();
    const subject = `$KV.${this.#name}.${token}`;
    if (options?.fence !== undefined) lines += `Rondo-Fence: ${options.fence}\r\n`;
    if (expected !== undefined) lines += `Nats-Expected-Last-Subject-Sequence: ${expected}\r\n`;
    if (!(expected > 0 && this.#js.comparesTooEarly)) return this.#once(token, bytes, expected, lines, id, id, options);
    // Of all writes behind one revision, which then have the same id, such servers store one.
    lines += `Rondo-Write: ${id}\r\n`;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#once(token, bytes, expected, lines, id, `${subject}@${expected}.${attempt}`, options);
      } catch (error) {
        if (error.last !== expected || attempt === kAttempts) throw error; // else the one that was stored is lost: the next number
      }
    }
  }

  // `id`: of this write; `messageId`: for the server, which stores one message of each.
  async #once(token, bytes, expected, lines, id, messageId, options) {
    let attempts = 0;
    const attempt = () => {
      attempts++;
      return this.#js.publish(`$KV.${this.#name}.${token}`, lines, messageId, bytes);
    };
    let answer, problem;
    try {
      answer = await this.#js.persist(attempt, options?.patience ?? 30_000);
      if (answer.duplicate !== true) return answer.seq;
    } catch (error) {
      if (error.code !== 'ERR_MESH_REVISION' || attempts === 1) throw error;
      problem = error;
    }
    // The answer to an attempt before may have been lost: servers compare revisions before ids. A duplicate may be one of a write that the
    // servers have lost (nats-server 2.9.10).
    const last = await this.#last(token);
    if (last !== undefined && (headerOf(last.header, 'Rondo-Write') ?? headerOf(last.header, 'Nats-Msg-Id')) === id) return last.seq;
    if (problem !== undefined) throw problem;
    if (expected !== undefined) throw notLast(last?.seq ?? 0, expected);
    if (last?.seq > answer.seq) return answer.seq;
    const again = this.#newId();
    return this.#once(token, bytes, expected, lines, again, again, options);
  }

  // onEntry(entry) for each key of now, then onReady(), then onEntry for each change. `token`: of one key alone. Returns a function that
  // stops.
  async watch(token, onEntry, onReady) {
    const watcher = new Watcher(this.#js, this.#stream, `$KV.${this.#name}.`, token ?? '>', onEntry, onReady);
    this.#watchers.add(watcher);
    try {
      await watcher.start();
    } catch (error) {
      this.#watchers.delete(watcher);
      watcher.stop();
      throw error;
    }
    return () => {
      this.#watchers.delete(watcher);
      watcher.stop();
    };
  }

  // After a new connection: the server has forgotten who watches.
  reconnected() {
    for (const watcher of each([...each(this.#watchers)])) watcher.restart();
  }
}

// An ordered consumer: when a message is missed, or the server is another one, it goes on behind the last that came.
class Watcher {
  #js;
  #stream;
  #prefix;
  #filter;
  #onEntry;
  #onReady;
  #last = 0; // sequence of the stream
  #count = 0; // of the consumer
  #answers;
  #consumer; // its name
  #timer;
  #isStopped = false;
  #isStarting = false;
  #isHolding = true;
  #target; // until it is ready: a promise of the leader's last message

  constructor(js, stream, prefix, filter, onEntry, onReady) {
    this.#js = js;
    this.#stream = stream;
    this.#prefix = prefix;
    this.#filter = filter;
    this.#onEntry = onEntry;
    this.#onReady = onReady;
    js.connection.hold();
  }

  async start() {
    if (this.#isStarting || this.#isStopped) return;
    this.#isStarting = true;
    try {
      this.#answers?.stop();
      this.#answers = this.#js.connection.deliveries((message) => this.#take(message));
      this.#count = 0;
      this.#target = undefined; // it may have expired
      const config = {
        deliver_subject: this.#answers.subject,
        deliver_policy: this.#last === 0 ? 'last_per_subject' : 'by_start_sequence',
        ack_policy: 'none',
        max_deliver: 1,
        filter_subject: `${this.#prefix}${this.#filter}`,
        replay_policy: 'instant',
        flow_control: true,
        idle_heartbeat: kHeartbeat * kNanoseconds,
        mem_storage: true,
        num_replicas: 1,
      };
      if (this.#last !== 0) config.opt_start_seq = this.#last + 1;
      this.#forget();
      const info = await this.#js.api(`CONSUMER.CREATE.${this.#stream}`, { stream_name: this.#stream, config });
      checkFields(info, ['delivered'], ['num_pending']);
      this.#consumer = `${info.name}`;
      if (this.#isStopped) return this.#forget();
      if (info.num_pending === 0 && info.delivered.consumer_seq === 0) this.#complete(); // nothing is there
      return this.#alive();
    } finally {
      this.#isStarting = false;
    }
  }

  // Sooner than the server would see that nobody listens.
  #forget() {
    const name = this.#consumer;
    this.#consumer = undefined;
    if (name !== undefined) promiseThen(this.#js.ask(`CONSUMER.DELETE.${this.#stream}.${name}`), undefined, () => {});
  }

  restart() {
    promiseThen(this.start(), undefined, () => this.#alive());
  }

  // Silence for that long makes another consumer.
  #alive(patience = kHeartbeat * 3) {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => this.restart(), patience);
    this.#timer.unref();
  }

  // The consumer has nothing more. In a cluster its server may lack the last writes: the stream's leader is asked for the number of the
  // last one, once. The consumer sends it, or one behind it, when it has it; one that does not is made again, perhaps on another server.
  #complete() {
    if (this.#onReady === undefined) return;
    if (!this.#js.isCluster) return this.#ready();
    this.#target ??= this.#js.message(this.#stream, { last_by_subj: `${this.#prefix}${this.#filter}` });
    const compare = (target) => {
      if (this.#last >= (target?.seq ?? 0)) this.#ready();
      else this.#alive(kCatchUp);
    };
    promiseThen(this.#target, compare, () => this.#alive(kCatchUp));
  }

  #ready() {
    const onReady = this.#onReady;
    this.#onReady = undefined;
    this.#release();
    onReady?.();
  }

  // Until it is known what is there, the loop waits for it.
  #release() {
    if (!this.#isHolding) return;
    this.#isHolding = false;
    this.#js.connection.release();
  }

  #take(message) {
    if (this.#isStopped) return;
    this.#alive();
    if (message.status === 100) {
      if (message.replyAt !== 0) return this.#js.connection.publishBytes(`PUB ${message.reply} `, '', Buffer.alloc(0));
      if (Number(message.header('Nats-Last-Consumer') ?? this.#count) !== this.#count) this.restart();
      return;
    }
    // $JS.ACK.stream.consumer.deliveries.stream-sequence.consumer-sequence.time.pending
    const parts = stringSplit.call(message.reply ?? '', '.');
    if (parts.length < 9) return;
    const sequence = Number(parts[parts.length - 4]);
    const count = Number(parts[parts.length - 3]);
    if (count !== this.#count + 1) return this.restart();
    this.#count = count;
    const isLast = parts[parts.length - 1] === '0'; // of those that are there
    if (sequence <= this.#last) {
      if (isLast) this.#complete();
      return;
    }
    this.#last = sequence;
    const token = stringSlice.call(message.subject, this.#prefix.length);
    this.#onEntry(entryOf(token, sequence, message.headerText, message.chunk, message.bodyAt, message.end));
    if (isLast) this.#complete();
  }

  stop() {
    this.#isStopped = true;
    this.#release();
    clearTimeout(this.#timer);
    this.#answers?.stop();
    this.#forget();
  }
}

module.exports = { NatsBucket };

// natives: structured_clone, worker
// The mesh of one process: what nats_broker.js does over NATS, with the same methods. The state is in the hub of the main thread; values
// become bytes here, in the thread that has them.
'use strict';

const { decode, encode } = native('structured_clone');
const { isWorker } = native('worker');
const { MeshError } = require('internal/mesh/errors');

const kMostWaiting = 64 << 20; // bytes of channels for this thread that it has not seen yet
const kKeepAlive = 2 ** 30;

// The main thread's way to its hub. hub_line.js has the workers'.
class HubClient {
  #hub = require('internal/mesh/hub').processHub();
  #client = this.#hub.addClient();
  #answers = new Map();
  #keepAlive;
  #waiting = 0;
  #holds = 0;

  constructor() {
    this.number = this.#client.number;
    this.#hub.setInbox(this.#client, (number, reply, trace, bytes, status) => {
      this.#hub.later(() => this.#answers.get(number)?.(reply, trace, bytes, status));
    });
  }
  async ready() {}
  later(tell) {
    this.#hub.later(tell);
  }
  load(path) {
    return this.#hub.load(path);
  }
  publish(subject, reply, trace, bytes, from) {
    this.#hub.publish(subject, reply, trace, bytes, from);
  }
  subscribe(subject, group, callback) {
    let isStopped = false;
    const stop = this.#hub.subscribe(this.#client, subject, group, (reply, trace, bytes, from) => {
      if (this.#waiting > kMostWaiting && reply === undefined) return; // at most once
      this.#waiting += bytes.length;
      this.#hub.later(() => {
        this.#waiting -= bytes.length;
        if (!isStopped) callback(reply, trace, bytes, from);
      });
    });
    return () => {
      isStopped = true;
      stop();
    };
  }
  setAnswer(number, callback) {
    if (callback === undefined) this.#answers.delete(number);
    else this.#answers.set(number, callback);
  }
  async bucketOpen(name, ttl) {
    return this.#hub.bucket(name, ttl).ttl;
  }
  async bucketGet(name, token) {
    return this.#hub.bucket(name).get(token);
  }
  async bucketWrite(name, token, bytes, expected, fence) {
    return this.#hub.bucket(name).write(token, bytes, expected, fence);
  }
  async bucketWatch(name, token, tell) {
    let isStopped = false;
    const stop = this.#hub.bucket(name).watch(this.#client, token, (entry) => this.#hub.later(() => isStopped || tell(entry)));
    return () => {
      isStopped = true;
      stop();
    };
  }
  async queueOpen(name, options) {
    return this.#hub.queue(name, options);
  }
  async queueAppend(name, bytes, meta, ticket) {
    return this.#hub.queue(name).append(bytes, meta, ticket);
  }
  async queueForget(name, ticket) {
    this.#hub.queue(name).forget(ticket);
  }
  async queueCount(name) {
    return this.#hub.queue(name).count();
  }
  async queueBury(name, sequence, bytes, details) {
    return this.#hub.queue(name).bury(sequence, bytes, details);
  }
  async queueConsume(name, concurrency, isDead, onJob) {
    const queue = this.#hub.queue(name);
    return queue.consume(this.#client, concurrency, isDead, (job) => {
      const { sequence, bytes, meta, time, deliveries } = job;
      const shown = { sequence, bytes, meta, time, deliveries };
      shown.ack = () => queue.acknowledge(job);
      shown.nak = (ms) => queue.giveBack(job, ms);
      shown.progress = () => queue.progress(job);
      this.#hub.later(() => onJob(shown));
    });
  }
  hold() {
    if (this.#holds++ > 0) return;
    this.#keepAlive ??= setInterval(() => {}, kKeepAlive);
    this.#keepAlive.ref();
  }
  release() {
    if (--this.#holds === 0) this.#keepAlive.unref();
  }
  async flush() {
    await new Promise((resolve) => this.#hub.later(resolve));
  }
  close() {
    clearInterval(this.#keepAlive);
    this.#hub.removeClient(this.#client);
  }
}

class EmbeddedBroker {
  #client;
  #storage;
  #lastAnswer = 0;
  #isClosed = false;

  constructor(options) {
    this.#storage = options.storage;
    this.#client = isWorker ? new (require('internal/mesh/hub_line').RemoteClient)() : new HubClient();
  }

  get kind() {
    return 'embedded';
  }
  get maxPayload() {
    return undefined;
  }

  get canKeep() {
    return true;
  }

  async open() {
    await this.#client.ready();
    if (this.#storage !== undefined) await this.#client.load(this.#storage);
  }

  publish(subject, reply, trace, value, from) {
    this.#client.publish(subject, reply, trace, encode(value), from);
  }
  publishBytes(subject, reply, trace, bytes, from) {
    this.#client.publish(subject, reply, trace, bytes, from);
  }
  subscribe(subject, group, onMessage) {
    return this.#client.subscribe(subject, group, (reply, trace, chunk, from) => {
      onMessage({ reply, trace, chunk, bodyAt: 0, end: chunk.length, from, status: 0 });
    });
  }
  answers(onMessage) {
    const number = ++this.#lastAnswer;
    this.#client.setAnswer(number, (reply, trace, chunk, status) => {
      onMessage({ reply, trace, chunk, bodyAt: 0, end: chunk.length, status });
    });
    return { subject: `_INBOX.${this.#client.number}.${number}`, stop: () => this.#client.setAnswer(number, undefined) };
  }
  get bufferedAmount() {
    return 0;
  }
  flush() {
    return this.#client.flush();
  }
  hold() {
    this.#client.hold();
  }
  release() {
    if (this.#isClosed) return;
    this.#client.release();
  }

  async bucket(name, ttl) {
    return new EmbeddedBucket(this.#client, name, await this.#client.bucketOpen(name, ttl));
  }
  async queue(name, options) {
    const { partitions, lease } = await this.#client.queueOpen(name, options);
    return new EmbeddedQueue(this.#client, this, name, partitions, lease);
  }

  async close() {
    if (this.#isClosed) return;
    await this.#client.flush();
    this.#isClosed = true;
    this.#client.close();
  }
}

function entryOf(entry) {
  const { token, revision, isDeleted, fence, bytes } = entry;
  const made = { token, revision, value: undefined, isDeleted, fence, error: undefined };
  if (isDeleted) return made;
  try {
    made.value = decode(bytes, 0, bytes.length);
  } catch (error) {
    made.error = new MeshError('ERR_MESH_BAD_MESSAGE', `A value in the store cannot be read: ${error.message}`, { cause: error });
  }
  return made;
}

class EmbeddedBucket {
  #client;
  #name;
  constructor(client, name, ttl) {
    this.#client = client;
    this.#name = name;
    this.ttl = ttl;
  }
  async get(token) {
    const entry = await this.#client.bucketGet(this.#name, token);
    return entry === undefined ? undefined : entryOf(entry);
  }
  put(token, value, expected, options) {
    return this.#client.bucketWrite(this.#name, token, encode(value), expected, options?.fence);
  }
  remove(token, expected, options) {
    return this.#client.bucketWrite(this.#name, token, undefined, expected, options?.fence);
  }
  watch(token, onEntry, onReady) {
    return this.#client.bucketWatch(this.#name, token, (entry) => (entry === undefined ? onReady?.() : onEntry(entryOf(entry))));
  }
}

class EmbeddedQueue {
  #tickets = 0;
  #client;
  #broker;
  #name;
  constructor(client, broker, name, partitions, lease) {
    this.#client = client;
    this.#broker = broker;
    this.#name = name;
    this.partitions = partitions;
    this.lease = lease;
  }
  append(bytes, meta, signal) {
    const ticket = `${this.#client.number}.${++this.#tickets}`;
    const appended = this.#client.queueAppend(this.#name, bytes, meta, ticket);
    return signal === undefined ? appended : this.#untilAborted(appended, ticket, signal);
  }
  #untilAborted(appended, ticket, signal) {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        promiseThen(this.#client.queueForget(this.#name, ticket), () => reject(signal.reason), reject);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const settle = (end) => (value) => {
        signal.removeEventListener('abort', onAbort);
        end(value);
      };
      promiseThen(appended, settle(resolve), settle(reject));
    });
  }
  count() {
    return this.#client.queueCount(this.#name);
  }
  bury(bytes, sequence, details) {
    return this.#client.queueBury(this.#name, sequence, bytes, details);
  }
  consume(concurrency, onJob) {
    return this.#consume(concurrency, false, onJob);
  }
  consumeDead(concurrency, onJob) {
    return this.#consume(concurrency, true, onJob);
  }
  async #consume(concurrency, isDead, onJob) {
    this.#broker.hold();
    const consumer = await this.#client.queueConsume(this.#name, concurrency, isDead, (job) => {
      const { meta } = job;
      onJob({ ...job, key: meta.key, order: meta.order?.name, trace: meta.trace, reason: meta.reason, buried: meta.deliveries });
    });
    return {
      finished: consumer.finished,
      close: () => {
        consumer.close();
        this.#broker.release();
      },
    };
  }
}

module.exports = { EmbeddedBroker };

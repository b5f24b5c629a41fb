// natives: messaging
// The line between a worker and the hub in the main thread: a port, over which messages go in batches, one batch a turn. A batch is a flat
// list of records. A side that has not yet read kMostUnread bytes gets no more messages of channels (they are at most once); requests and
// jobs are bounded by their makers.
'use strict';

const messaging = native('messaging');
const { MeshError, closedError } = require('internal/mesh/errors');
const { MessageChannel } = require('internal/messaging/message_channel');

const kMostUnread = 64 << 20;

// The two ends have the same form: send(record), onRecord(record).
class Line {
  #port;
  #batch = [];
  #bytes = 0;
  #unread = 0; // bytes that the other side has not confirmed
  #willSend = false;

  constructor(port, onRecord, onClose) {
    this.#port = port;
    port.on('message', (batch) => {
      if (typeof batch === 'number') {
        this.#unread -= batch;
        return;
      }
      const bytes = batch[0];
      if (bytes > 0) port.postMessage(bytes);
      for (let i = 1; i < batch.length; i++) onRecord(batch[i]);
    });
    port.on('close', onClose);
    port.unref();
  }

  get isFull() {
    return this.#unread + this.#bytes > kMostUnread;
  }

  send(record, bytes = 0) {
    arrayPush.call(this.#batch, record);
    this.#bytes += bytes;
    if (this.#willSend) return;
    this.#willSend = true;
    process.nextTick(() => this.flush());
  }
  flush() {
    if (this.#batch.length === 0) return;
    const batch = [this.#bytes];
    for (let i = 0; i < this.#batch.length; i++) arrayPush.call(batch, this.#batch[i]);
    this.#unread += this.#bytes;
    this.#batch = [];
    this.#bytes = 0;
    this.#willSend = false;
    this.#port.postMessage(batch);
  }
  ref() {
    this.#port.ref();
  }
  unref() {
    this.#port.unref();
  }
  close() {
    this.flush();
    this.#port.close();
  }
}

// --- in the main thread

// A worker's requests, by name.
function requestsOf(hub, client, line, stops, jobs) {
  return {
    load: (path) => hub.load(path),
    flush: () => undefined,
    bucketOpen: (name, ttl) => hub.bucket(name, ttl).ttl,
    bucketGet: (name, token) => shown(hub.bucket(name).get(token)),
    bucketWrite: (name, token, bytes, expected, fence) => hub.bucket(name).write(token, bytes, expected, fence),
    bucketWatch(name, token, id) {
      const stop = hub.bucket(name).watch(client, token, (entry) => line.send(['w', id, shown(entry)], entry?.bytes?.length ?? 0));
      stops.set(id, stop);
    },
    queueOpen(name, options) {
      const { partitions, lease } = hub.queue(name, options);
      return { partitions, lease };
    },
    queueAppend: (name, bytes, meta, ticket) => hub.queue(name).append(bytes, meta, ticket),
    queueForget: (name, ticket) => hub.queue(name).forget(ticket),
    queueCount: (name) => hub.queue(name).count(),
    queueBury: (name, sequence, bytes, details) => hub.queue(name).bury(sequence, bytes, details),
    queueConsume(name, concurrency, isDead, id) {
      const queue = hub.queue(name);
      const consumer = queue.consume(client, concurrency, isDead, (job) => line.send(['j', id, shownJob(job)]));
      jobs.set(id, { queue, consumer, isDead });
    },
  };
}

// A worker's side of the line: what it has asked the hub for.
class WorkerOfHub {
  #hub = require('internal/mesh/hub').processHub();
  #client = this.#hub.addClient();
  #stops = new Map();
  #jobs = new Map(); // number of a consumption -> { queue, consumer, isDead }
  #line;
  #requests;

  constructor(port) {
    const line = new Line(
      port,
      (record) => this.#onRecord(record),
      () => this.#hub.removeClient(this.#client),
    );
    this.#line = line;
    this.#hub.setInbox(this.#client, (number, reply, trace, bytes, status) =>
      line.send(['i', number, reply, trace, bytes, status], bytes.length),
    );
    this.#requests = requestsOf(this.#hub, this.#client, line, this.#stops, this.#jobs);
    line.send(['client', this.#client.number]);
  }

  #onRecord(record) {
    switch (record[0]) {
      case 'p':
        return this.#hub.publish(record[1], record[2], record[3], record[4], record[5]);
      case 's':
        return this.#subscribe(record[1], record[2], record[3]);
      case 'x':
        this.#stops.get(record[1])?.();
        return this.#stops.delete(record[1]);
      case 'q':
        return this.#answer(record);
      default:
        return this.#onJobRecord(record);
    }
  }

  #subscribe(id, subject, group) {
    const line = this.#line;
    const stop = this.#hub.subscribe(this.#client, subject, group, (reply, trace, bytes, from) => {
      if (line.isFull && reply === undefined) return; // at most once
      line.send(['m', id, reply, trace, bytes, from], bytes.length);
    });
    this.#stops.set(id, stop);
  }

  #onJobRecord({ 0: what, 1: id, 2: sequence, 3: ms }) {
    const known = this.#jobs.get(id);
    if (known === undefined) return;
    if (what === 'jf') return known.consumer.finished();
    if (what === 'jc') {
      known.consumer.close();
      this.#jobs.delete(id);
      return;
    }
    const job = known.queue.job(sequence, known.isDead);
    if (job === undefined) return;
    if (what === 'ja') known.queue.acknowledge(job);
    else if (what === 'jn') known.queue.giveBack(job, ms);
    else known.queue.progress(job);
  }

  async #answer({ 1: id, 2: name, 3: args }) {
    try {
      const value = await Reflect.apply(this.#requests[name], undefined, args);
      this.#line.send(['a', id, undefined, value]);
    } catch (error) {
      this.#line.send(['a', id, { code: error.code, message: error.message }]);
    }
  }
}

function accept(port) {
  return new WorkerOfHub(port);
}

function shown(entry) {
  if (entry === undefined) return undefined;
  const { token, revision, bytes, isDeleted, fence } = entry;
  return { token, revision, bytes, isDeleted, fence };
}
function shownJob({ sequence, bytes, meta, time, deliveries }) {
  return { sequence, bytes, meta, time, deliveries };
}

// --- in a worker: the same methods as HubClient (embedded_broker.js)

class RemoteClient {
  #line;
  #last = 0;
  #requests = new Map();
  #callbacks = new Map(); // number of a subscription, watch or consumption -> function
  #answers = new Map();
  #client;
  #holds = 0;
  #isClosed = false;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.#line = new Line(
      port1,
      (record) => this.#onRecord(record),
      () => this.#closed(),
    );
    // The main thread's inbox (lib/internal/worker/threads.js).
    if (!messaging.postTo(0, { type: 'mesh', port: port2 }, [port2])) throw new MeshError('ERR_MESH_CLOSED', 'The main thread has ended');
    this.#client = new Promise((resolve) => this.#requests.set('client', { resolve }));
  }

  async ready() {
    this.hold();
    this.number = await this.#client;
    this.release();
  }

  #closed() {
    this.#isClosed = true;
    for (const request of each([...each(this.#requests.values())])) request.reject?.(closedError());
    this.#requests.clear();
  }

  #onRecord(record) {
    switch (record[0]) {
      case 'client':
        return this.#requests.get('client').resolve(record[1]);
      case 'm':
        return this.#callbacks.get(record[1])?.(record[2], record[3], record[4], record[5]);
      case 'i':
        return this.#answers.get(record[1])?.(record[2], record[3], record[4], record[5]);
      case 'w':
      case 'j':
        return this.#callbacks.get(record[1])?.(record[2]);
      case 'a': {
        const [, id, error, value] = each(record);
        const request = this.#requests.get(id);
        this.#requests.delete(id);
        this.release();
        if (error === undefined) return request.resolve(value);
        return request.reject(new MeshError(error.code, error.message));
      }
      default:
        return undefined;
    }
  }

  #ask(name, ...args) {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(closedError());
      const id = ++this.#last;
      this.#requests.set(id, { resolve, reject });
      this.hold();
      this.#line.send(['q', id, name, args]);
    });
  }

  later(tell) {
    setImmediate(tell);
  }
  load(path) {
    return this.#ask('load', path);
  }
  publish(subject, reply, trace, bytes, from) {
    if (this.#line.isFull) throw new MeshError('ERR_MESH_FULL', 'The main thread does not read what this one sends');
    this.#line.send(['p', subject, reply, trace, bytes, from], bytes.length);
  }
  subscribe(subject, group, callback) {
    const id = ++this.#last;
    this.#callbacks.set(id, callback);
    this.#line.send(['s', id, subject, group]);
    return () => {
      this.#callbacks.delete(id);
      this.#line.send(['x', id]);
    };
  }
  setAnswer(number, callback) {
    if (callback === undefined) this.#answers.delete(number);
    else this.#answers.set(number, callback);
  }
  bucketOpen(name, ttl) {
    return this.#ask('bucketOpen', name, ttl);
  }
  bucketGet(name, token) {
    return this.#ask('bucketGet', name, token);
  }
  bucketWrite(name, token, bytes, expected, fence) {
    return this.#ask('bucketWrite', name, token, bytes, expected, fence);
  }
  async bucketWatch(name, token, tell) {
    const id = ++this.#last;
    this.#callbacks.set(id, tell);
    await this.#ask('bucketWatch', name, token, id);
    return () => {
      this.#callbacks.delete(id);
      this.#line.send(['x', id]);
    };
  }
  queueOpen(name, options) {
    return this.#ask('queueOpen', name, options);
  }
  queueAppend(name, bytes, meta, ticket) {
    return this.#ask('queueAppend', name, bytes, meta, ticket);
  }
  queueForget(name, ticket) {
    return this.#ask('queueForget', name, ticket);
  }
  queueCount(name) {
    return this.#ask('queueCount', name);
  }
  queueBury(name, sequence, bytes, details) {
    return this.#ask('queueBury', name, sequence, bytes, details);
  }
  async queueConsume(name, concurrency, isDead, onJob) {
    const id = ++this.#last;
    this.#callbacks.set(id, (job) =>
      onJob({
        ...job,
        ack: () => this.#line.send(['ja', id, job.sequence]),
        nak: (ms) => this.#line.send(['jn', id, job.sequence, ms]),
        progress: () => this.#line.send(['jp', id, job.sequence]),
      }),
    );
    await this.#ask('queueConsume', name, concurrency, isDead, id);
    return {
      finished: () => this.#line.send(['jf', id]),
      close: () => {
        this.#callbacks.delete(id);
        this.#line.send(['jc', id]);
      },
    };
  }

  hold() {
    if (this.#holds++ === 0) this.#line.ref();
  }
  release() {
    if (--this.#holds === 0) this.#line.unref();
  }
  flush() {
    return this.#ask('flush');
  }
  close() {
    this.#isClosed = true;
    this.#line.close();
  }
}

module.exports = { accept, RemoteClient };

// natives: none
// The embedded form of the mesh: subjects, buckets and queues of this process, in its main thread. Threads are clients: the main one calls
// the hub, workers talk to it over a port (hub_line.js). Everything here is bytes; embedded_broker.js makes values of them.
'use strict';

const { MeshError } = require('internal/mesh/errors');
const { HubBucket } = require('internal/mesh/hub_bucket');
const { HubQueue } = require('internal/mesh/hub_queue');

const kNone = new Uint8Array(0);

class Hub {
  #subjects = new Map(); // subject -> { all: [sink], groups: Map(name -> { sinks, next }) }
  #inboxes = new Map(); // number of a client -> its sink
  #buckets = new Map();
  #queues = new Map();
  #clients = 0;
  #local = []; // messages for this thread, told in a later iteration
  #localAt = 0;
  #journal;

  // Messages come to a function that the client gives with a subscription (reply, trace, bytes, from), answers to that of
  // setInbox (number, reply, trace, bytes, status).
  addClient() {
    return { number: ++this.#clients, stops: new Set(), isGone: false };
  }

  setInbox(client, sink) {
    this.#inboxes.set(client.number, sink);
  }

  // It has ended: what it had taken goes to others.
  removeClient(client) {
    client.isGone = true;
    this.#inboxes.delete(client.number);
    for (const stop of each([...each(client.stops)])) stop();
    client.stops.clear();
  }

  // --- messages

  subscribe(client, subject, group, sink) {
    let entry = this.#subjects.get(subject);
    if (entry === undefined) this.#subjects.set(subject, (entry = { all: [], groups: new Map() }));
    let list = entry.all;
    if (group !== undefined) {
      let members = entry.groups.get(group);
      if (members === undefined) entry.groups.set(group, (members = { sinks: [], next: 0 }));
      list = members.sinks;
    }
    arrayPush.call(list, sink);
    const stop = () => {
      client.stops.delete(stop);
      const at = arrayIndexOf.call(list, sink);
      if (at >= 0) arraySplice.call(list, at, 1);
      if (group !== undefined && list.length === 0) entry.groups.delete(group);
      if (entry.all.length === 0 && entry.groups.size === 0 && this.#subjects.get(subject) === entry) this.#subjects.delete(subject);
    };
    client.stops.add(stop);
    return stop;
  }

  publish(subject, reply, trace, bytes, from) {
    if (stringStartsWith.call(subject, '_INBOX.')) return this.#answer(subject, reply, trace, bytes, 0);
    const entry = this.#subjects.get(subject);
    if (entry === undefined) return reply === undefined ? undefined : this.#answer(reply, undefined, trace, kNone, 503);
    for (const sink of each(entry.all)) sink(reply, trace, bytes, from);
    for (const members of each([...each(entry.groups.values())])) {
      const sink = members.sinks[members.next++ % members.sinks.length];
      sink(reply, trace, bytes, from);
    }
    return undefined;
  }

  // '_INBOX.client.number'
  #answer(subject, reply, trace, bytes, status) {
    const parts = stringSplit.call(subject, '.');
    this.#inboxes.get(Number(parts[1]))?.(Number(parts[2]), reply, trace, bytes, status);
  }

  // Calls tell() in a later iteration, in the order of calling.
  later(tell) {
    if (arrayPush.call(this.#local, tell) - this.#localAt > 1) return;
    setImmediate(() => this.#drain());
  }
  #drain() {
    const end = this.#local.length; // those that come meanwhile are of the next iteration
    try {
      while (this.#localAt < end) {
        const tell = this.#local[this.#localAt];
        this.#local[this.#localAt++] = undefined;
        tell();
      }
    } finally {
      if (this.#localAt === this.#local.length) {
        this.#local = [];
        this.#localAt = 0;
      } else {
        this.#local = arraySlice.call(this.#local, this.#localAt);
        this.#localAt = 0;
        setImmediate(() => this.#drain());
      }
    }
  }

  // --- what is kept

  // Records of the file are replayed; from now on every change is written there.
  async load(path) {
    if (this.#journal !== undefined) {
      if (this.#journal.path === path) return this.#journal.loaded;
      throw new MeshError('ERR_MESH_STORAGE', `The mesh of this process has its journal in '${this.#journal.path}' already`);
    }
    if (this.#buckets.size > 0 || this.#queues.size > 0) {
      throw new MeshError('ERR_MESH_STORAGE', 'The mesh of this process is in use without a journal already');
    }
    const { Journal } = require('internal/mesh/journal');
    this.#journal = new Journal(path);
    this.#journal.loaded = this.#journal.open(
      (record) => this.#replay(record),
      () => this.#snapshot(),
    );
    return this.#journal.loaded;
  }

  #replay(record) {
    const name = record[1];
    if (record[0] === 'b') this.bucket(name, record[2]);
    else if (record[0] === 'q') this.queue(name, record[2]);
    else if (stringStartsWith.call(record[0], 'b.')) this.#buckets.get(name)?.replay(record);
    else this.#queues.get(name)?.replay(record);
  }

  *#snapshot() {
    for (const bucket of each([...each(this.#buckets.values())])) yield* bucket.snapshot();
    for (const queue of each([...each(this.#queues.values())])) yield* queue.snapshot();
  }

  #record = (record) => this.#journal?.append(record);

  bucket(name, ttl) {
    let bucket = this.#buckets.get(name);
    if (bucket === undefined) {
      bucket = new HubBucket(name, ttl, this.#record);
      this.#buckets.set(name, bucket);
      this.#record(['b', name, ttl]);
    }
    return bucket;
  }

  queue(name, options) {
    let queue = this.#queues.get(name);
    if (queue === undefined) {
      queue = new HubQueue(name, options, this.#record);
      this.#queues.set(name, queue);
      this.#record(['q', name, queue.settings]);
    }
    return queue;
  }

  close() {
    return this.#journal?.close();
  }
}

let hub;
function processHub() {
  return (hub ??= new Hub());
}

module.exports = { processHub };

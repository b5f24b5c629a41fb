// natives: none
// A key-value bucket of the embedded mesh, with the rules of one on NATS: a write has a revision that is larger than all before it in the
// bucket, an entry that is not written again within the bucket's time goes, and a watcher is told what is there and then every change.
'use strict';

const { MeshError } = require('internal/mesh/errors');

class HubBucket {
  #name;
  #record;
  #entries = new Map(); // token -> { token, revision, bytes, fence, timer }
  #last = 0;
  #watchers = new Set();

  constructor(name, ttl, record) {
    this.#name = name;
    this.ttl = ttl;
    this.#record = record;
  }

  get(token) {
    return this.#entries.get(token);
  }

  // bytes: undefined removes. Resolves with the new revision when it is in the journal, if there is one.
  write(token, bytes, expected, fence) {
    const before = this.#entries.get(token);
    if (expected !== undefined && (before?.revision ?? 0) !== expected) {
      throw new MeshError('ERR_MESH_REVISION', `The last revision is ${before?.revision ?? 0}, not ${expected}`);
    }
    const revision = ++this.#last;
    this.#set(token, revision, bytes, fence);
    const written = this.ttl > 0 ? undefined : this.#record(['b.w', this.#name, token, revision, bytes, fence]);
    return written === undefined ? revision : promiseThen(written, () => revision);
  }

  #set(token, revision, bytes, fence) {
    const before = this.#entries.get(token);
    if (before?.timer !== undefined) clearTimeout(before.timer);
    const entry = { token, revision, bytes, isDeleted: bytes === undefined, fence: fence ?? 0, timer: undefined };
    if (bytes === undefined) this.#entries.delete(token);
    else this.#entries.set(token, entry);
    if (this.ttl > 0 && bytes !== undefined) {
      entry.timer = setTimeout(() => this.#expire(entry), this.ttl);
      entry.timer.unref();
    }
    this.#tell(entry);
  }

  #expire(entry) {
    if (this.#entries.get(entry.token) !== entry) return;
    this.#entries.delete(entry.token);
    this.#tell({ token: entry.token, revision: ++this.#last, bytes: undefined, isDeleted: true, fence: 0 });
  }

  #tell(entry) {
    for (const watcher of each([...each(this.#watchers)]))
      if (watcher.token === undefined || watcher.token === entry.token) watcher.tell(entry);
  }

  // tell(entry) for what is there, tell(undefined), then tell(entry) for each change.
  watch(client, token, tell) {
    const watcher = { token, tell };
    for (const entry of each([...each(this.#entries.values())])) if (token === undefined || token === entry.token) tell(entry);
    tell(undefined);
    this.#watchers.add(watcher);
    const stop = () => {
      client.stops.delete(stop);
      this.#watchers.delete(watcher);
    };
    client.stops.add(stop);
    return stop;
  }

  replay(record) {
    this.#last = Math.max(this.#last, record[3]);
    this.#set(record[2], record[3], record[4], record[5]);
  }

  *snapshot() {
    yield ['b', this.#name, this.ttl];
    if (this.ttl > 0) return;
    for (const entry of each([...each(this.#entries.values())]))
      yield ['b.w', this.#name, entry.token, entry.revision, entry.bytes, entry.fence];
    // Revisions go on from the last one, although its entry may be gone.
    yield ['b.w', this.#name, '', this.#last, undefined, 0];
  }
}

module.exports = { HubBucket };

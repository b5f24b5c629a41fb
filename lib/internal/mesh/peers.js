// natives: worker
// peers() and leader(name). A peer is a mesh of a thread: an entry with a lease, written again while it lives. A leader holds a lock.
'use strict';

const { threadId } = native('worker');
const { validateAbortSignal, validateObject } = require('internal/util/validators');
const { checkName } = require('internal/mesh/names');
const { listEntries } = require('internal/mesh/store');

const kLease = 10_000;

class Peers {
  #mesh;
  #bucket;
  #timer;
  #self;

  constructor(mesh) {
    this.#mesh = mesh;
    this.#self = {
      host: require('internal/os/os').hostname(),
      pid: process.pid,
      thread: threadId,
      name: mesh.options.name,
      since: Date.now(),
    };
  }

  // From now on others see this one.
  async enter(broker) {
    const bucket = await broker.bucket('rondo_peers', this.#mesh.options.lease ?? kLease);
    this.#bucket = bucket;
    await this.#write();
    this.#timer = setInterval(() => promiseThen(this.#write(), undefined, () => {}), bucket.ttl / 3);
    this.#timer.unref();
  }

  #write() {
    return this.#bucket.put(this.#mesh.id, this.#self, undefined, { patience: this.#bucket.ttl / 3 });
  }

  async leave() {
    clearInterval(this.#timer);
    if (this.#bucket === undefined) return;
    try {
      await this.#bucket.remove(this.#mesh.id, undefined, { patience: 500 });
    } catch {} // it goes with its lease
  }

  async list() {
    const entries = await this.#mesh.untilClosed(listEntries(this.#bucket));
    const peers = [];
    for (const { token, value, error } of each(entries)) {
      if (error !== undefined || typeof value !== 'object' || value === null) continue; // of somebody else
      const { host, pid, thread, name, since } = value;
      arrayPush.call(peers, { id: token, host, pid, thread, name, since: new Date(since), isSelf: token === this.#mesh.id });
    }
    return arraySort.call(peers, (a, b) => a.since - b.since || (a.id < b.id ? -1 : 1));
  }
}

// Resolves when this process is the leader of that name, until it resigns, dies, or cannot renew its lease.
async function lead(locks, name, options = {}) {
  checkName(name);
  validateObject(options, 'options');
  const { signal } = options;
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  const held = await locks.acquire(`leader-${name}`, name, { ifAvailable: false, steal: false, signal });
  const resign = () => held.release();
  return { name, token: held.lock.token, signal: held.lock.signal, resign, [Symbol.asyncDispose]: resign };
}

module.exports = { Peers, lead };

// natives: none
// lock(name, callback): navigator.locks' way over the mesh, exclusive, with a fencing token. A lock is an entry with a lease; its holder
// writes it again before the lease ends. A holder that cannot do so in time has lost it: its signal is aborted before anybody else can get
// it, as far as it runs at all; a write of one that was stopped is refused by its token, which is smaller than the next holder's
// (store.js).
'use strict';

const { AbortController } = require('internal/events/abort');
const { validateAbortSignal, validateBoolean, validateFunction, validateObject } = require('internal/util/validators');
const {
  codes: { ERR_INVALID_ARG_VALUE },
} = require('internal/errors/coded');
const { MeshError, closedError } = require('internal/mesh/errors');
const { checkName } = require('internal/mesh/names');
const { now } = require('internal/perf/clock');

const kLease = 10_000;
const kSafe = 0.8; // part of the lease after which a holder that could not renew gives up

function readOptions(given) {
  validateObject(given, 'options');
  const { mode = 'exclusive', ifAvailable = false, steal = false, signal } = given;
  if (mode !== 'exclusive') throw new ERR_INVALID_ARG_VALUE('options.mode', mode, "must be 'exclusive': the mesh has no shared locks");
  validateBoolean(ifAvailable, 'options.ifAvailable');
  validateBoolean(steal, 'options.steal');
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  if (ifAvailable && steal) throw new ERR_INVALID_ARG_VALUE('options.steal', steal, 'excludes ifAvailable');
  return { ifAvailable, steal, signal };
}

class Locks {
  #mesh;
  #count = 0;

  constructor(mesh) {
    this.#mesh = mesh;
  }

  async request(name, options, callback) {
    checkName(name);
    if (callback === undefined && typeof options === 'function') {
      callback = options;
      options = {};
    }
    validateFunction(callback, 'callback');
    const held = await this.acquire(`lock-${name}`, name, readOptions(options ?? {}));
    if (held === undefined) return callback(null);
    return held.during(callback);
  }

  // A Held, or undefined when it is not available and need not be waited for.
  async acquire(token, name, { ifAvailable, steal, signal }) {
    signal?.throwIfAborted();
    const broker = this.#mesh.broker ?? (await this.#mesh.ready());
    const bucket = await broker.bucket('rondo_locks', this.#mesh.options.lease ?? kLease);
    const owner = { by: this.#mesh.id, number: ++this.#count };
    broker.hold();
    try {
      const held = await this.#take(broker, bucket, token, name, owner, steal);
      if (held !== undefined || ifAvailable) return held;
      return await this.#wait(broker, bucket, token, name, owner, signal);
    } finally {
      broker.release();
    }
  }

  async #take(broker, bucket, key, name, owner, steal) {
    const last = await bucket.get(key);
    if (last !== undefined && !last.isDeleted && !steal) return undefined;
    const tokens = await broker.bucket('rondo_tokens', 0);
    const token = await nextToken(tokens, key, last);
    const sent = now();
    let revision;
    try {
      revision = await bucket.put(key, owner, last?.revision ?? 0, { patience: bucket.ttl, fence: token });
    } catch (error) {
      if (error.code !== 'ERR_MESH_REVISION' || steal) throw error;
      return undefined;
    }
    // Servers of a cluster were seen to acknowledge the writes of two: the leader has one of them. An answer that took too long is none.
    if (bucket.isCluster && !isOwn(await bucket.get(key), revision, owner)) return undefined;
    if (now() - sent > bucket.ttl * kSafe) return undefined;
    promiseThen(tokens.put(key, token, undefined, { patience: 1000 }), undefined, () => {}); // the next holder finds it in the lock, too
    return new Held(this.#mesh, broker, bucket, key, name, owner, { token, revision, sent });
  }

  // Tries when it is told that the lock was given back, and from time to time: a lease ends without a word. One of those that wait is told,
  // whatever their number, because all are members of one group.
  async #wait(broker, bucket, token, name, owner, signal) {
    let wake;
    let isFree = true;
    let isClosed = false;
    const onFree = () => {
      isFree = true;
      wake?.();
    };
    const onAbort = () => wake?.();
    const onClose = () => {
      isClosed = true;
      wake?.();
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#mesh.closing.add(onClose);
    const stop = broker.subscribe(subjectOf(token), 'rondo', onFree);
    try {
      for (;;) {
        if (isClosed) throw closedError();
        signal?.throwIfAborted();
        isFree = false; // a word that comes while it tries may be of a later release
        const held = await this.#take(broker, bucket, token, name, owner, false);
        if (held !== undefined) return held;
        await new Promise((resolve) => {
          const timer = setTimeout(resolve, (bucket.ttl / 4) * (0.5 + Math.random()));
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
          if (isClosed || isFree || signal?.aborted) wake();
        });
        wake = undefined;
      }
    } finally {
      stop();
      signal?.removeEventListener('abort', onAbort);
      this.#mesh.closing.delete(onClose);
      if (isFree && !isClosed) tellFree(this.#mesh, broker, token); // the word was meant for one that still waits
    }
  }
}

function isOwn(entry, revision, { by, number }) {
  return entry?.revision === revision && entry.value?.by === by && entry.value.number === number;
}

function subjectOf(token) {
  return `rondo.l.${token}`;
}

// A word that cannot be sent must not take the lock from the one who got it: the others look by themselves, later.
function tellFree(mesh, broker, token) {
  try {
    broker.publish(subjectOf(token), undefined, mesh.tracing.current(), true);
  } catch {}
}

// A fencing token is larger than that of every holder before. The last one stands in the lock's entry and, longer than a lease, among the
// tokens. The time, in µs, makes it larger where both are gone: servers of a cluster were seen to lose acknowledged writes and to give
// their revisions again (nats-server 2.9.10), and a process without a journal begins anew. They were also seen to acknowledge the writes of
// two at the same moment: by chance, the tokens of those differ, and one of the two is refused by stores until it learns that it has lost.
async function nextToken(tokens, key, last) {
  let known = last?.fence ?? 0;
  if (known === 0) known = (await tokens.get(key))?.value;
  const chance = Math.floor(Math.random() * 1000);
  return Math.max(Date.now() * 1000 + chance, Number.isSafeInteger(known) ? known + 1 + chance : 1);
}

// A lock that this thread has.
class Held {
  #mesh;
  #broker;
  #bucket;
  #key;
  #owner;
  #revision;
  #sent; // when the last write that counts was sent
  #timer;
  #deadline; // a timer of its own: between two renewals the lease may end
  #controller = new AbortController();
  #lost;
  #isOver = false;
  #isWriting = false;

  constructor(mesh, broker, bucket, key, name, owner, { token, revision, sent }) {
    this.#mesh = mesh;
    this.#broker = broker;
    this.#bucket = bucket;
    this.#key = key;
    this.#owner = owner;
    this.#revision = revision;
    this.#sent = sent;
    this.lock = Object.freeze({ name, mode: 'exclusive', token, signal: this.#controller.signal });
    this.lost = new Promise((_, reject) => (this.#lost = reject));
    promiseThen(this.lost, undefined, () => {});
    this.#timer = setInterval(() => this.#renew(), bucket.ttl / 4);
    this.#setDeadline();
    broker.hold();
    mesh.closing.add(this.#onClose);
  }

  #onClose = () => {
    this.#lose(closedError());
    this.#remove(); // sent before the connection is closed
  };

  #setDeadline() {
    const onEnd = () =>
      this.#lose(new MeshError('ERR_MESH_LOST', `The lock '${this.lock.name}' was lost: its lease could not be renewed in time`));
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(onEnd, Math.max(1, this.#bucket.ttl * kSafe - (now() - this.#sent)));
  }

  async #renew() {
    if (this.#isWriting) return;
    this.#isWriting = true;
    const sent = now();
    try {
      const options = { patience: this.#bucket.ttl * kSafe, fence: this.lock.token };
      const revision = await this.#bucket.put(this.#key, this.#owner, this.#revision, options);
      this.#revision = revision;
      this.#sent = sent;
      if (!this.#isOver) this.#setDeadline();
    } catch (error) {
      if (error.code === 'ERR_MESH_REVISION')
        this.#lose(new MeshError('ERR_MESH_LOST', `The lock '${this.lock.name}' was taken by another`));
    } finally {
      this.#isWriting = false;
    }
    if (this.#isOver) await this.#remove();
  }

  #lose(error) {
    if (this.#isOver) return;
    this.#over();
    this.#lost(error);
    this.#controller.abort(error);
  }

  #over() {
    this.#isOver = true;
    clearInterval(this.#timer);
    clearTimeout(this.#deadline);
    this.#mesh.closing.delete(this.#onClose);
    this.#broker.release();
  }

  async #remove() {
    try {
      await this.#bucket.remove(this.#key, this.#revision, { patience: 1000, fence: this.lock.token });
      tellFree(this.#mesh, this.#broker, this.#key);
    } catch {} // it goes with its lease
  }

  async release() {
    if (this.#isOver) return;
    this.#over();
    if (!this.#isWriting) await this.#remove(); // else the write that is under way does it
  }

  // The callback's result; an error when the lock is lost before.
  async during(callback) {
    try {
      return await Promise.race([this.lost, callback(this.lock)]);
    } finally {
      await this.release();
    }
  }
}

module.exports = { Locks };

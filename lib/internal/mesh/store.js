// natives: none
// store(name): values by key, with revisions that grow, for all of the mesh. A write may say which revision must be the last one, or which
// fencing token it has; watch() tells every change.
'use strict';

const { validateAbortSignal, validateInteger, validateObject } = require('internal/util/validators');
const { MeshError } = require('internal/mesh/errors');
const { checkName, decodeKey, encodeKey } = require('internal/mesh/names');

// Writes if there is no entry: its revision, or undefined if there is one. A removed entry leaves a revision of its own on NATS.
async function create(bucket, token, value, options) {
  try {
    return await bucket.put(token, value, 0, options);
  } catch (error) {
    if (error.code !== 'ERR_MESH_REVISION') throw error;
  }
  const entry = await bucket.get(token);
  if (entry !== undefined && !entry.isDeleted) return undefined;
  try {
    return await bucket.put(token, value, entry?.revision ?? 0, options);
  } catch (error) {
    if (error.code === 'ERR_MESH_REVISION') return undefined;
    throw error;
  }
}

// All entries of now.
async function listEntries(bucket) {
  const found = new Map();
  let stop;
  await new Promise((resolve, reject) => {
    const onEntry = (entry) => {
      if (entry.isDeleted) found.delete(entry.token);
      else found.set(entry.token, entry);
    };
    promiseThen(bucket.watch(undefined, onEntry, resolve), (made) => (stop = made), reject);
  });
  await undefined; // the function that stops it comes at the same time
  stop?.();
  return [...each(found.values())];
}

function shownEntry(entry) {
  if (entry.error !== undefined) throw entry.error;
  return { key: decodeKey(entry.token), value: entry.value, revision: entry.revision };
}

class Store {
  #mesh;
  #name;
  #ttl;
  #bucket;

  constructor(mesh, name, options = {}) {
    this.#mesh = mesh;
    this.#name = checkName(name);
    validateObject(options, 'options');
    const { ttl = 0 } = options;
    if (ttl !== 0) validateInteger(ttl, 'options.ttl', 100);
    this.#ttl = ttl;
  }

  get name() {
    return this.#name;
  }

  async #open() {
    if (this.#bucket !== undefined) return this.#bucket;
    const broker = this.#mesh.broker ?? (await this.#mesh.ready());
    return (this.#bucket = await broker.bucket(`rondo_s_${this.#name}`, this.#ttl));
  }

  // { key, value, revision } or undefined
  async entry(key) {
    const token = encodeKey(key);
    const entry = await (await this.#open()).get(token);
    return entry === undefined || entry.isDeleted ? undefined : shownEntry(entry);
  }
  async get(key) {
    return (await this.entry(key))?.value;
  }

  // The new revision. { revision }: the one that must be the last, 0 for a key that must not be there. { fence }: a lock's token; a write
  // with a
  // smaller one than the last of this key is refused.
  async set(key, value, options = {}) {
    const token = encodeKey(key);
    const { revision, fence } = this.#checked(options);
    const bucket = await this.#open();
    if (fence !== undefined) return this.#fenced(bucket, token, fence, revision, (last) => bucket.put(token, value, last, { fence }));
    if (revision !== 0) return bucket.put(token, value, revision);
    const made = await create(bucket, token, value);
    if (made === undefined) throw new MeshError('ERR_MESH_REVISION', 'The key is there already');
    return made;
  }

  async delete(key, options = {}) {
    const token = encodeKey(key);
    const { revision, fence } = this.#checked(options);
    const bucket = await this.#open();
    if (fence !== undefined) return this.#fenced(bucket, token, fence, revision, (last) => bucket.remove(token, last, { fence }));
    return bucket.remove(token, revision);
  }

  #checked(options) {
    validateObject(options, 'options');
    const { revision, fence } = options;
    if (revision !== undefined) validateInteger(revision, 'options.revision', 0);
    if (fence !== undefined) validateInteger(fence, 'options.fence', 1);
    return { revision, fence };
  }

  async #fenced(bucket, token, fence, revision, write) {
    for (;;) {
      const last = await bucket.get(token);
      const isThere = last !== undefined && !last.isDeleted;
      if (last !== undefined && last.fence > fence) {
        throw new MeshError('ERR_MESH_FENCED', `A write with the token ${last.fence} came before this one with ${fence}`);
      }
      if (revision !== undefined && revision !== (isThere ? last.revision : 0)) {
        throw new MeshError('ERR_MESH_REVISION', `The last revision is ${isThere ? last.revision : 0}, not ${revision}`);
      }
      try {
        return await write(last?.revision ?? 0);
      } catch (error) {
        if (error.code !== 'ERR_MESH_REVISION') throw error; // somebody was faster: look again
      }
    }
  }

  // [{ key, value, revision }] of now
  async entries() {
    return arrayMap.call(await this.#listed(), shownEntry);
  }
  async keys() {
    return arrayMap.call(await this.#listed(), (entry) => decodeKey(entry.token));
  }
  // Without those of others, whose keys none of ours can be.
  async #listed() {
    const entries = await this.#mesh.untilClosed(listEntries(await this.#open()));
    return arrayFilter.call(entries, (entry) => decodeKey(entry.token) !== undefined);
  }

  // An async iterable: what is there, then every change, { key, value, revision, isDeleted }; of a value that cannot be read, its error.
  watch(key, options = {}) {
    validateObject(options, 'options');
    if (options.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
    return new StoreWatch(this.#mesh, () => this.#open(), key === undefined ? undefined : encodeKey(key), options.signal);
  }
}

class StoreWatch {
  #mesh;
  #open;
  #token;
  #signal;
  #stop;
  #ready = new Map(); // token -> entry: the last change of each key that was not asked for
  #waiting = [];
  #state = 'new';

  constructor(mesh, open, token, signal) {
    this.#mesh = mesh;
    this.#open = open;
    this.#token = token;
    this.#signal = signal;
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  async next() {
    if (this.#state === 'new') await this.#start();
    for (const [token, entry] of eachEntry(this.#ready)) {
      this.#ready.delete(token);
      return { value: this.#shown(entry), done: false };
    }
    if (this.#state === 'ended') return { value: undefined, done: true };
    return new Promise((resolve) => arrayPush.call(this.#waiting, resolve));
  }
  async return(value) {
    this.#end();
    return { value, done: true };
  }

  #shown({ token, value, revision, isDeleted, error }) {
    const shown = { key: decodeKey(token), value, revision, isDeleted };
    if (error !== undefined) shown.error = error;
    return shown;
  }

  async #start() {
    this.#state = 'running';
    if (this.#signal?.aborted) return this.#end();
    this.#signal?.addEventListener('abort', this.#end, { once: true });
    this.#mesh.closing.add(this.#end);
    const bucket = await this.#open();
    if (this.#state === 'ended') return undefined;
    this.#mesh.broker.hold();
    const stop = await this.#mesh.untilClosed(bucket.watch(this.#token, (entry) => this.#arrive(entry)));
    this.#stop = stop;
    if (this.#state === 'ended') this.#release();
    return undefined;
  }

  // Between two questions the last change of a key counts: memory is bounded by the number of keys.
  #arrive(entry) {
    if (this.#state === 'ended' || decodeKey(entry.token) === undefined) return;
    const resolve = arrayShift.call(this.#waiting);
    if (resolve !== undefined) resolve({ value: this.#shown(entry), done: false });
    else {
      this.#ready.delete(entry.token);
      this.#ready.set(entry.token, entry);
    }
  }

  #release() {
    this.#stop?.();
    if (this.#stop !== undefined) this.#mesh.broker?.release();
    this.#stop = undefined;
  }

  #end = () => {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#signal?.removeEventListener('abort', this.#end);
    this.#mesh.closing.delete(this.#end);
    this.#release();
    for (const resolve of each(this.#waiting)) resolve({ value: undefined, done: true });
    this.#waiting = [];
  };
}

module.exports = { Store, create, listEntries };

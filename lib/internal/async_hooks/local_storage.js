// natives: none
// AsyncLocalStorage: a value that follows awaits, ticks, timers and I/O. The context (internal/async_hooks/context
// carries it) is a Frame: the storage entered last with its value, and a Map of the others. Entering makes a
// new Frame, so whoever kept the old one still sees the old values; a program with one storage needs no Map.
'use strict';

const { validateObject } = require('internal/util/validators');
const asyncContext = require('internal/async_hooks/context');

const { get } = asyncContext;

class Frame {
  constructor(storage, value, others) {
    this.storage = storage;
    this.value = value;
    this.others = others; // a Map that frames share and nobody changes, or null
    this.isChanged = false;
  }

  // Timers and other objects keep their frame: shown short.
  [Symbol.for('nodejs.util.inspect.custom')]() {
    return '[AsyncContextFrame]';
  }

  // The others as a frame sees them in which `storage` is the last.
  othersThan(storage) {
    if (this.storage === storage || this.storage === null) return without(this.others, storage);
    const others = new Map(this.others);
    others.delete(storage);
    return others.set(this.storage, this.value);
  }

  // In place: disable() also counts for those who kept this frame.
  remove(storage) {
    this.isChanged = true;
    if (this.storage === storage) {
      this.storage = null;
      this.value = undefined;
    } else {
      this.others = without(this.others, storage);
    }
  }
}

function without(map, storage) {
  if (map === null || !map.has(storage)) return map;
  const copy = new Map(map);
  copy.delete(storage);
  return copy;
}

// From now on there always is a context: the engine restores one after a promise reaction
// only if the reaction was made in one.
if (asyncContext.get() === undefined) asyncContext.set(new Frame(null, undefined, null));

class RunScope {
  #storage;
  #previous;
  #disposed = false;

  constructor(storage, store) {
    this.#storage = storage;
    this.#previous = storage.getStore();
    storage.enterWith(store);
  }

  dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#storage.enterWith(this.#previous);
  }

  [Symbol.dispose]() {
    this.dispose();
  }
}

class AsyncLocalStorage {
  #defaultValue;
  #name;

  constructor(options = {}) {
    validateObject(options, 'options');
    this.#defaultValue = options.defaultValue;
    if (options.name !== undefined) this.#name = `${options.name}`;
  }

  get name() {
    return this.#name || '';
  }

  static bind(fn) {
    return require('internal/async_hooks/resource').AsyncResource.bind(fn);
  }

  static snapshot() {
    return AsyncLocalStorage.bind((fn, ...args) => fn(...each(args)));
  }

  disable() {
    asyncContext.get()?.remove(this);
  }

  enterWith(data) {
    const frame = asyncContext.get();
    asyncContext.set(new Frame(this, data, frame === undefined ? null : frame.othersThan(this)));
  }

  run(data, fn, ...args) {
    const outer = asyncContext.get();
    const prior = this.getStore();
    if (Object.is(prior, data)) return Reflect.apply(fn, null, args);
    const inner = new Frame(this, data, outer === undefined ? null : outer.othersThan(this));
    asyncContext.set(inner);
    try {
      return Reflect.apply(fn, null, args);
    } finally {
      // Other storages that `fn` entered or disabled stay so.
      if (asyncContext.get() === inner && !inner.isChanged) asyncContext.set(outer);
      else this.enterWith(prior);
    }
  }

  exit(fn, ...args) {
    return this.run(undefined, fn, ...each(args));
  }

  getStore() {
    const frame = get();
    if (frame === undefined) return this.#defaultValue;
    return frame.storage === this ? frame.value : this.#storedBefore(frame);
  }

  #storedBefore({ others }) {
    return others !== null && others.has(this) ? others.get(this) : this.#defaultValue;
  }

  withScope(store) {
    return new RunScope(this, store);
  }
}

module.exports = { AsyncLocalStorage };

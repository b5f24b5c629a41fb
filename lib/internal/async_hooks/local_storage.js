// natives: none
// AsyncLocalStorage: a value that follows awaits, ticks, timers and I/O. The context (internal/async_hooks/context
// carries it) is a Frame: the key of the storage entered last with its value, and a tree of the others' values. Entering makes a
// new Frame, so code that kept the old one still sees the old values; a program with one storage needs no tree.
'use strict';

const { validateObject } = require('internal/util/validators');
const asyncContext = require('internal/async_hooks/context');
const { kAbsent, get: valueIn, set: withValue } = require('internal/async_hooks/value_tree');

const { get } = asyncContext;

const kNoKey = -1;
let nextKey = 0;

class Frame {
  constructor(key, value, others) {
    this.key = key;
    this.value = value;
    this.others = others; // a tree that frames share, or null
    this.isChanged = false;
  }

  // Timers and other objects keep their frame: shown short.
  [Symbol.for('nodejs.util.inspect.custom')]() {
    return '[AsyncContextFrame]';
  }

  // The others as a frame sees them in which `key` is the last.
  othersThan(key) {
    if (this.key === key || this.key === kNoKey) return without(this.others, key);
    return withValue(without(this.others, key), this.key, this.value);
  }

  // In place: disable() also counts for those who kept this frame.
  remove(key) {
    this.isChanged = true;
    this.others = without(this.others, key);
    if (this.key !== key) return;
    this.key = kNoKey;
    this.value = undefined;
  }
}

const without = (tree, key) => (valueIn(tree, key) === kAbsent ? tree : withValue(tree, key, kAbsent));

// From now on there always is a context: the engine restores one after a promise reaction
// only if the reaction was made in one.
if (asyncContext.get() === undefined) asyncContext.set(new Frame(kNoKey, undefined, null));

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
  #key = nextKey++;
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
    asyncContext.get()?.remove(this.#key);
  }

  enterWith(data) {
    const frame = asyncContext.get();
    asyncContext.set(new Frame(this.#key, data, frame === undefined ? null : frame.othersThan(this.#key)));
  }

  run(data, fn, ...args) {
    const outer = asyncContext.get();
    const prior = this.getStore();
    if (Object.is(prior, data)) return Reflect.apply(fn, null, args);
    const inner = new Frame(this.#key, data, outer === undefined ? null : outer.othersThan(this.#key));
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
    return frame.key === this.#key ? frame.value : this.#storedBefore(frame);
  }

  #storedBefore({ others }) {
    const value = valueIn(others, this.#key);
    return value === kAbsent ? this.#defaultValue : value;
  }

  withScope(store) {
    return new RunScope(this, store);
  }
}

module.exports = { AsyncLocalStorage };

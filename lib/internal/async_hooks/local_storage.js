// natives: none
// AsyncLocalStorage: a value that follows awaits, ticks, timers and I/O. The context is an
// immutable Map from storage to value (internal/async_context carries it); entering makes a
// new Map, so whoever kept the old one still sees the old values.
'use strict';

const { validateObject } = require('internal/validators');
const asyncContext = require('internal/async_context');

// From now on there always is a context: the engine restores one after a promise reaction
// only if the reaction was made in one.
if (asyncContext.get() === undefined) asyncContext.set(new Map());

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

  [Symbol.dispose]() { this.dispose(); }
}

class AsyncLocalStorage {
  #defaultValue;
  #name;

  constructor(options = {}) {
    validateObject(options, 'options');
    this.#defaultValue = options.defaultValue;
    if (options.name !== undefined) this.#name = `${options.name}`;
  }

  get name() { return this.#name || ''; }

  static bind(fn) {
    return require('internal/async_hooks/resource').AsyncResource.bind(fn);
  }

  static snapshot() {
    return AsyncLocalStorage.bind((fn, ...args) => fn(...args));
  }

  disable() {
    asyncContext.get()?.delete(this);
  }

  enterWith(data) {
    const context = new Map(asyncContext.get());
    context.set(this, data);
    asyncContext.set(context);
  }

  run(data, fn, ...args) {
    const prior = this.getStore();
    if (Object.is(prior, data)) return Reflect.apply(fn, null, args);
    this.enterWith(data);
    try {
      return Reflect.apply(fn, null, args);
    } finally {
      this.enterWith(prior);
    }
  }

  exit(fn, ...args) { return this.run(undefined, fn, ...args); }

  getStore() {
    const context = asyncContext.get();
    if (context === undefined || !context.has(this)) return this.#defaultValue;
    return context.get(this);
  }

  withScope(store) { return new RunScope(this, store); }
}

module.exports = { AsyncLocalStorage };

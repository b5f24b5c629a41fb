// natives: none
// DisposableStack, AsyncDisposableStack and SuppressedError,
// https://tc39.es/proposal-explicit-resource-management, for engines that lack them.
'use strict';

class SuppressedError extends Error {
  constructor(error, suppressed, message) {
    super(message);
    Object.defineProperties(this, {
      error: { value: error, writable: true, configurable: true },
      suppressed: { value: suppressed, writable: true, configurable: true },
    });
  }
}
Object.defineProperty(SuppressedError.prototype, 'name', {
  value: 'SuppressedError', writable: true, configurable: true, enumerable: false,
});

function methodOf(value, symbol) {
  const method = value[symbol];
  if (typeof method !== 'function') throw new TypeError(`${String(symbol)} is not a function`);
  return method;
}

const isNothing = (value) => value === null || value === undefined;

// What both stacks share: a list of clean-ups, run last first.
class Cleanups {
  list = [];
  disposed = false;

  add(cleanup) {
    if (this.disposed) throw new ReferenceError('the stack is already disposed');
    this.list.push(cleanup);
  }

  take() {
    const { list } = this;
    this.list = [];
    this.disposed = true;
    return list;
  }
}

const join = (failed, error) => ({ error: failed === undefined ? error : new SuppressedError(error, failed.error) });

class DisposableStack {
  #cleanups = new Cleanups();

  get disposed() { return this.#cleanups.disposed; }

  use(value) {
    if (isNothing(value)) return value;
    const method = methodOf(value, Symbol.dispose);
    this.#cleanups.add(() => Reflect.apply(method, value, []));
    return value;
  }

  adopt(value, onDispose) {
    if (typeof onDispose !== 'function') throw new TypeError('onDispose is not a function');
    this.#cleanups.add(() => onDispose(value));
    return value;
  }

  defer(onDispose) {
    if (typeof onDispose !== 'function') throw new TypeError('onDispose is not a function');
    this.#cleanups.add(() => onDispose());
  }

  move() {
    if (this.disposed) throw new ReferenceError('the stack is already disposed');
    const stack = new DisposableStack();
    stack.#cleanups.list = this.#cleanups.take();
    return stack;
  }

  dispose() {
    if (this.disposed) return;
    let failed;
    for (const cleanup of this.#cleanups.take().reverse()) {
      try {
        cleanup();
      } catch (error) {
        failed = join(failed, error);
      }
    }
    if (failed !== undefined) throw failed.error;
  }
}

class AsyncDisposableStack {
  #cleanups = new Cleanups();

  get disposed() { return this.#cleanups.disposed; }

  use(value) {
    if (isNothing(value)) {
      this.#cleanups.add(() => {});
      return value;
    }
    const symbol = value[Symbol.asyncDispose] === undefined ? Symbol.dispose : Symbol.asyncDispose;
    const method = methodOf(value, symbol);
    this.#cleanups.add(() => Reflect.apply(method, value, []));
    return value;
  }

  adopt(value, onDispose) {
    if (typeof onDispose !== 'function') throw new TypeError('onDisposeAsync is not a function');
    this.#cleanups.add(() => onDispose(value));
    return value;
  }

  defer(onDispose) {
    if (typeof onDispose !== 'function') throw new TypeError('onDisposeAsync is not a function');
    this.#cleanups.add(() => onDispose());
  }

  move() {
    if (this.disposed) throw new ReferenceError('the stack is already disposed');
    const stack = new AsyncDisposableStack();
    stack.#cleanups.list = this.#cleanups.take();
    return stack;
  }

  async disposeAsync() {
    if (this.disposed) return;
    let failed;
    for (const cleanup of this.#cleanups.take().reverse()) {
      try {
        await cleanup();
      } catch (error) {
        failed = join(failed, error);
      }
    }
    if (failed !== undefined) throw failed.error;
  }
}

function finish(Class, symbol, method, tag) {
  Object.defineProperty(Class.prototype, symbol, { value: Class.prototype[method], writable: true, configurable: true });
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: tag, configurable: true });
}
finish(DisposableStack, Symbol.dispose, 'dispose', 'DisposableStack');
finish(AsyncDisposableStack, Symbol.asyncDispose, 'disposeAsync', 'AsyncDisposableStack');

module.exports = { AsyncDisposableStack, DisposableStack, SuppressedError };

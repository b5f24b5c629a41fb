// natives: none
// DisposableStack, AsyncDisposableStack and SuppressedError, https://tc39.es/proposal-explicit-resource-management.
'use strict';

const isObject = (value) => (typeof value === 'object' ? value !== null : typeof value === 'function');
const isNothing = (value) => value === null || value === undefined;

// Of the realm that this file is loaded in; the exported function sets them.
let Error;
let ReferenceError;
let TypeError;
let apply;
let asyncDispose;
let construct;
let defineProperty;
let dispose;
let fixPrototype;
let setPrototypeOf;
let toStringTag;

module.exports = (intrinsics) => {
  ({
    Error,
    ReferenceError,
    TypeError,
    apply,
    asyncDispose,
    construct,
    defineProperty,
    dispose,
    fixPrototype,
    setPrototypeOf,
    toStringTag,
  } = intrinsics);
  setPrototypeOf(SuppressedError, Error);
  setPrototypeOf(SuppressedError.prototype, Error.prototype);
  defineProperty(SuppressedError, 'prototype', { __proto__: null, writable: false });
  defineProperty(SuppressedError.prototype, 'name', hidden('SuppressedError'));
  defineProperty(SuppressedError.prototype, 'message', hidden(''));
  defineProperty(DisposableStack.prototype, dispose, hidden(DisposableStack.prototype.dispose));
  defineProperty(DisposableStack.prototype, toStringTag, { __proto__: null, value: 'DisposableStack', configurable: true });
  defineProperty(AsyncDisposableStack.prototype, asyncDispose, hidden(AsyncDisposableStack.prototype.disposeAsync));
  defineProperty(AsyncDisposableStack.prototype, toStringTag, { __proto__: null, value: 'AsyncDisposableStack', configurable: true });

  return { AsyncDisposableStack, DisposableStack, SuppressedError };
};

const hidden = (value) => ({ __proto__: null, value, writable: true, configurable: true, enumerable: false });

function SuppressedError(error, suppressed, message) {
  const newTarget = new.target ?? SuppressedError;
  const made = construct(Error, message === undefined ? [] : [message], newTarget);
  fixPrototype(made, newTarget, 'disposable', 'SuppressedError');
  defineProperty(made, 'error', hidden(error));
  defineProperty(made, 'suppressed', hidden(suppressed));
  return made;
}

function methodOf(value, symbol) {
  const method = value[symbol];
  if (isNothing(method)) return undefined;
  if (typeof method !== 'function') throw new TypeError(`${typeof method} is not a function`);
  return method;
}

function needFunction(value) {
  if (typeof value !== 'function') throw new TypeError(`${typeof value} is not a function`);
}

const join = (failed, error) => ({ error: failed === undefined ? error : new SuppressedError(error, failed.error) });

// A list of clean-ups, last first; undefined when disposed.
const push = (cleanup, rest) => ({ cleanup, rest });
const kEmpty = { cleanup: undefined, rest: undefined };

function needPending(list) {
  if (list === undefined) throw new ReferenceError('Cannot add values to a disposed stack!');
}

class DisposableStack {
  #list = kEmpty;

  constructor() {
    fixPrototype(this, new.target, 'disposable', 'DisposableStack');
  }

  get disposed() {
    return this.#list === undefined;
  }

  use(value) {
    needPending(this.#list);
    if (isNothing(value)) return value;
    if (!isObject(value)) throw new TypeError('the value is not an object');
    const method = methodOf(value, dispose);
    if (method === undefined) throw new TypeError('Symbol.dispose is not a function');
    this.#list = push(() => {
      apply(method, value, []);
    }, this.#list);
    return value;
  }

  adopt(value, onDispose) {
    needPending(this.#list);
    needFunction(onDispose);
    this.#list = push(() => {
      onDispose(value);
    }, this.#list);
    return value;
  }

  defer(onDispose) {
    needPending(this.#list);
    needFunction(onDispose);
    this.#list = push(() => {
      onDispose();
    }, this.#list);
  }

  move() {
    needPending(this.#list);
    const stack = new DisposableStack();
    stack.#list = this.#list;
    this.#list = undefined;
    return stack;
  }

  dispose() {
    let list = this.#list;
    if (list === undefined) return;
    this.#list = undefined;
    let failed;
    for (; list !== kEmpty; list = list.rest) {
      try {
        (0, list.cleanup)();
      } catch (error) {
        failed = join(failed, error);
      }
    }
    if (failed !== undefined) throw failed.error;
  }
}

// A clean-up that is undefined stands for null or undefined, for which one await is due in all.
async function disposeAll(list) {
  let failed;
  let isDue = false;
  let hasAwaited = false;
  for (; list !== kEmpty; list = list.rest) {
    if (list.cleanup === undefined) {
      isDue = true;
      continue;
    }
    try {
      const pending = (0, list.cleanup)();
      hasAwaited = true;
      await pending;
    } catch (error) {
      failed = join(failed, error);
    }
  }
  if (isDue && !hasAwaited) await undefined;
  if (failed !== undefined) throw failed.error;
}

async function refuse() {
  throw new TypeError('the receiver is not an AsyncDisposableStack');
}

// The result of a method of Symbol.dispose is not awaited.
function asyncCleanup(value) {
  const method = methodOf(value, asyncDispose);
  if (method !== undefined) return () => apply(method, value, []);
  const syncMethod = methodOf(value, dispose);
  if (syncMethod === undefined) throw new TypeError('Symbol.asyncDispose is not a function');
  return async () => {
    apply(syncMethod, value, []);
  };
}

class AsyncDisposableStack {
  #list = kEmpty;

  constructor() {
    fixPrototype(this, new.target, 'disposable', 'AsyncDisposableStack');
  }

  get disposed() {
    return this.#list === undefined;
  }

  use(value) {
    needPending(this.#list);
    if (!isNothing(value) && !isObject(value)) throw new TypeError('the value is not an object');
    this.#list = push(isNothing(value) ? undefined : asyncCleanup(value), this.#list);
    return value;
  }

  adopt(value, onDispose) {
    needPending(this.#list);
    needFunction(onDispose);
    this.#list = push(() => onDispose(value), this.#list);
    return value;
  }

  defer(onDispose) {
    needPending(this.#list);
    needFunction(onDispose);
    this.#list = push(() => onDispose(), this.#list);
  }

  move() {
    needPending(this.#list);
    const stack = new AsyncDisposableStack();
    stack.#list = this.#list;
    this.#list = undefined;
    return stack;
  }

  disposeAsync() {
    if (!isObject(this) || !(#list in this)) return refuse();
    const list = this.#list;
    this.#list = undefined;
    return disposeAll(list ?? kEmpty);
  }
}

// natives: none
// node:diagnostics_channel: named channels. Publishing without subscribers costs one look.
// A channel that nobody holds and nobody listens to is forgotten by the registry.
'use strict';

const {
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');
const { validateFunction } = require('internal/util/validators');

// name -> WeakRef, and the channels that have listeners, held strongly.
const registry = new Map();
const listenedTo = new Set();
const forgotten = new FinalizationRegistry((name) => {
  if (registry.get(name)?.deref() === undefined) registry.delete(name);
});

function throwLater(error) {
  process.nextTick(() => {
    throw error;
  });
}

// Enters the context of every bound store, publishes, and leaves again when disposed.
class StoresScope {
  #scopes = [];

  constructor(channel, data) {
    for (const [store, transform] of eachEntry(channel._stores ?? [])) {
      let context = data;
      if (transform) {
        try {
          context = transform(data);
        } catch (error) {
          throwLater(error);
          continue;
        }
      }
      arrayPush.call(this.#scopes, store.withScope(context));
    }
    channel.publish(data);
  }

  [Symbol.dispose]() {
    while (this.#scopes.length > 0) arrayPop.call(this.#scopes)[Symbol.dispose]();
  }
}

const noScope = { [Symbol.dispose]() {} };

function within(scope, fn, self, args) {
  try {
    return Reflect.apply(fn, self, args);
  } finally {
    scope[Symbol.dispose]();
  }
}

class Channel {
  constructor(name) {
    this._subscribers = undefined;
    this._stores = undefined;
    this.name = name;
    this._index = undefined;
    registry.set(name, new WeakRef(this));
    forgotten.register(this, name);
  }

  get hasSubscribers() {
    return this._subscribers !== undefined || this._stores !== undefined;
  }

  #settle() {
    if (this._subscribers?.length === 0) this._subscribers = undefined;
    if (this._stores?.size === 0) this._stores = undefined;
    if (this.hasSubscribers) listenedTo.add(this);
    else listenedTo.delete(this);
  }

  // Lists are replaced, never changed: a publish() under way goes on with the old one.
  subscribe(subscription) {
    validateFunction(subscription, 'subscription');
    this._subscribers = [...each(this._subscribers ?? []), subscription];
    this.#settle();
  }

  unsubscribe(subscription) {
    const at = this._subscribers === undefined ? -1 : arrayIndexOf.call(this._subscribers, subscription);
    if (at === -1) return false;
    this._subscribers = arrayToSpliced.call(this._subscribers, at, 1);
    this.#settle();
    return true;
  }

  bindStore(store, transform) {
    (this._stores ??= new Map()).set(store, transform);
    this.#settle();
  }

  unbindStore(store) {
    if (!this._stores?.delete(store)) return false;
    this.#settle();
    return true;
  }

  publish(data) {
    const subscribers = this._subscribers;
    if (subscribers === undefined) return;
    for (let i = 0; i < subscribers.length; i++) {
      try {
        (0, subscribers[i])(data, this.name);
      } catch (error) {
        throwLater(error);
      }
    }
  }

  withStoreScope(data) {
    return this.hasSubscribers ? new StoresScope(this, data) : noScope;
  }

  runStores(data, fn, thisArg, ...args) {
    return this.hasSubscribers ? within(new StoresScope(this, data), fn, thisArg, args) : Reflect.apply(fn, thisArg, args);
  }
}

function channel(name) {
  const known = registry.get(name)?.deref();
  if (known !== undefined) return known;
  if (typeof name !== 'string' && typeof name !== 'symbol') {
    throw new ERR_INVALID_ARG_TYPE('channel', ['string', 'symbol'], name);
  }
  return new Channel(name);
}

const subscribe = (name, subscription) => channel(name).subscribe(subscription);
const unsubscribe = (name, subscription) => channel(name).unsubscribe(subscription);
const hasSubscribers = (name) => registry.get(name)?.deref()?.hasSubscribers ?? false;

// --- groups of channels around a call

function memberOf(nameOrChannels, name, className) {
  if (typeof nameOrChannels === 'string') return channel(`tracing:${nameOrChannels}:${name}`);
  if (typeof nameOrChannels === 'object' && nameOrChannels !== null) {
    const member = nameOrChannels[name];
    if (Object.getPrototypeOf(member) === null || !(member instanceof Channel))
      throw new ERR_INVALID_ARG_TYPE(`nameOrChannels.${name}`, ['Channel'], member);
    return member;
  }
  throw new ERR_INVALID_ARG_TYPE('nameOrChannels', ['string', 'object', className], nameOrChannels);
}

class BoundedScope {
  #context;
  #end;
  #scope;

  constructor(bounded, context) {
    if (!bounded.hasSubscribers) return;
    this.#context = context;
    this.#end = bounded.end;
    this.#scope = new StoresScope(bounded.start, context);
  }

  [Symbol.dispose]() {
    if (this.#scope === undefined) return;
    this.#end.publish(this.#context);
    this.#scope[Symbol.dispose]();
    this.#scope = undefined;
  }
}

function subscribeAll(group, names, handlers) {
  for (const name of each(names)) if (handlers[name]) group[name].subscribe(handlers[name]);
}

function unsubscribeAll(group, names, handlers) {
  let done = true;
  for (const name of each(names)) {
    if (handlers[name] && !group[name].unsubscribe(handlers[name])) done = false;
  }
  return done;
}

const kBounds = ['start', 'end'];

class BoundedChannel {
  constructor(nameOrChannels) {
    for (const name of each(kBounds)) {
      Object.defineProperty(this, name, { __proto__: null, value: memberOf(nameOrChannels, name, 'BoundedChannel') });
    }
  }

  get hasSubscribers() {
    return this.start.hasSubscribers || this.end.hasSubscribers;
  }
  subscribe(handlers) {
    subscribeAll(this, kBounds, handlers);
  }
  unsubscribe(handlers) {
    return unsubscribeAll(this, kBounds, handlers);
  }
  withScope(context = {}) {
    return new BoundedScope(this, context);
  }
  run(context, fn, thisArg, ...args) {
    return within(this.withScope(context ?? {}), fn, thisArg, args);
  }
}

function warnNonThenable(fn) {
  process.emitWarning(`tracePromise was called with the function '${fn.name || '<anonymous>'}', ` + 'which returned a non-thenable.');
}

const kTracing = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];

class TracingChannel {
  #call;
  #continuation;

  constructor(nameOrChannels) {
    const members = { __proto__: null };
    for (const name of each(kTracing)) members[name] = memberOf(nameOrChannels, name, 'TracingChannel');
    this.#call = new BoundedChannel({ start: members.start, end: members.end });
    this.#continuation = new BoundedChannel({ start: members.asyncStart, end: members.asyncEnd });
    Object.defineProperty(this, 'error', { __proto__: null, value: members.error });
  }

  get start() {
    return this.#call.start;
  }
  get end() {
    return this.#call.end;
  }
  get asyncStart() {
    return this.#continuation.start;
  }
  get asyncEnd() {
    return this.#continuation.end;
  }
  get hasSubscribers() {
    return this.#call.hasSubscribers || this.#continuation.hasSubscribers || this.error.hasSubscribers;
  }

  subscribe(handlers) {
    subscribeAll(this, kTracing, handlers);
  }
  unsubscribe(handlers) {
    return unsubscribeAll(this, kTracing, handlers);
  }

  #fail(context, error) {
    context.error = error;
    this.error.publish(context);
  }

  // Runs the call inside start and end; an exception is published and thrown on.
  #callWithin(fn, context, thisArg, args, onResult) {
    const scope = this.#call.withScope(context);
    try {
      return onResult(Reflect.apply(fn, thisArg, args));
    } catch (error) {
      this.#fail(context, error);
      throw error;
    } finally {
      scope[Symbol.dispose]();
    }
  }

  #continue(context) {
    this.#continuation.withScope(context)[Symbol.dispose]();
  }

  traceSync(fn, context = { __proto__: null }, thisArg, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, thisArg, args);
    return this.#callWithin(fn, context, thisArg, args, (result) => (context.result = result));
  }

  tracePromise(fn, context = { __proto__: null }, thisArg, ...args) {
    if (!this.hasSubscribers) {
      const result = Reflect.apply(fn, thisArg, args);
      if (typeof result?.then !== 'function') warnNonThenable(fn);
      return result;
    }
    const onResolve = (result) => {
      context.result = result;
      this.#continue(context);
      return result;
    };
    const onReject = (error) => {
      this.#fail(context, error);
      this.#continue(context);
    };
    return this.#callWithin(fn, context, thisArg, args, (result) => {
      if (typeof result?.then !== 'function') {
        warnNonThenable(fn);
        return (context.result = result);
      }
      const { isPromise } = require('internal/util/types');
      if (isPromise(result) && Object.getPrototypeOf(result) === Promise.prototype) {
        return promiseThen(result, onResolve, (error) => {
          onReject(error);
          throw error;
        });
      }
      result.then(onResolve, onReject); // the program's: a thenable
      return result;
    });
  }

  traceCallback(fn, position = -1, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, thisArg, args);
    const callback = arrayAt.call(args, position);
    validateFunction(callback, 'callback');
    const tracing = this;
    arraySplice.call(args, position, 1, function (error, result) {
      if (error) tracing.#fail(context, error);
      else context.result = result;
      return within(tracing.#continuation.withScope(context), callback, this, arguments);
    });
    return this.#callWithin(fn, context, thisArg, args, (result) => result);
  }
}

module.exports = {
  channel,
  hasSubscribers,
  subscribe,
  tracingChannel: (nameOrChannels) => new TracingChannel(nameOrChannels),
  unsubscribe,
  boundedChannel: (nameOrChannels) => new BoundedChannel(nameOrChannels),
  Channel,
  BoundedChannel,
};

// natives: structured_clone
// Shared by all WHATWG stream classes. A public object (ReadableStream, a reader,
// a controller, …) holds its internal slots in one record, under kRecord; the
// algorithms work on records only. Here: brand checks, promise helpers that do not
// go through patchable globals, conversion of strategies, and the chunk queue.
// https://streams.spec.whatwg.org/
'use strict';

const { hiddenSymbol } = require('internal/util/hidden_symbol');
const {
  codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS },
} = require('internal/errors/coded');

const kRecord = hiddenSymbol('kRecord');
const kInternal = Symbol('kInternal'); // opens constructors that users may not call

const kUndefinedPromise = Promise.resolve();

function nop() {}

function upon(promise, onFulfilled, onRejected) {
  return promiseThen(promise, onFulfilled, onRejected);
}

function markHandled(promise) {
  promiseThen(promise, undefined, nop);
}

function rejected(reason) {
  return Promise.reject(reason);
}

function rejectedAndHandled(reason) {
  const promise = Promise.reject(reason);
  markHandled(promise);
  return promise;
}

// A capability that is already settled, in the shape of Promise.withResolvers().
function settled(promise) {
  return { promise, resolve: undefined, reject: undefined };
}

// "A promise resolved with": always a new one; another promise takes two more turns.
function resolvedWith(value) {
  return new Promise((resolve) => {
    resolve(value);
  });
}

function hasRecord(value, Record) {
  return value !== null && typeof value === 'object' && value[kRecord] instanceof Record;
}

function recordOf(value, Record, name) {
  if (!hasRecord(value, Record)) throw new ERR_INVALID_THIS(name);
  return value[kRecord];
}

const kNoMembers = Object.freeze({ __proto__: null });

// The dictionary conversion of Web IDL: undefined and null are empty dictionaries.
function toDictionary(value, name) {
  if (value == null) return kNoMembers;
  if (typeof value !== 'object' && typeof value !== 'function') throw new ERR_INVALID_ARG_TYPE(name, 'Object', value);
  return value;
}

// A callback member of a user's dictionary, or undefined.
function callbackOf(dictionary, key, name) {
  const callback = dictionary[key];
  if (callback === undefined) return undefined;
  if (typeof callback !== 'function') throw new ERR_INVALID_ARG_TYPE(`${name}.${key}`, 'Function', callback);
  return callback;
}

// Calls a user's callback; what it throws becomes a rejection.
function promiseCall(callback, self, ...args) {
  try {
    const result = Reflect.apply(callback, self, args);
    return result === undefined ? kUndefinedPromise : Promise.resolve(result);
  } catch (error) {
    return Promise.reject(error);
  }
}

// The default of a constructor's argument that is not given: members that a program adds to Object.prototype are not read from it.
const kNothing = Object.freeze({ __proto__: null });

function convertStrategy(strategy) {
  const { highWaterMark, size } = toDictionary(strategy, 'strategy');
  if (size !== undefined && typeof size !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('strategy.size', 'Function', size);
  }
  return { highWaterMark: highWaterMark === undefined ? undefined : +highWaterMark, size };
}

// https://streams.spec.whatwg.org/#validate-and-normalize-high-water-mark
function extractHighWaterMark({ highWaterMark }, otherwise) {
  if (highWaterMark === undefined) return otherwise;
  if (Number.isNaN(highWaterMark) || highWaterMark < 0) {
    throw new ERR_INVALID_ARG_VALUE.RangeError('strategy.highWaterMark', highWaterMark);
  }
  return highWaterMark;
}

// Engines older than ArrayBuffer.prototype.detached tell by refusing a view.
function isDetached(buffer) {
  if (buffer.byteLength !== 0) return false;
  if (buffer.detached !== undefined) return buffer.detached;
  try {
    return new Uint8Array(buffer) === null;
  } catch {
    return true;
  }
}

// An agent of pages gives results, and the bytes that a stream makes, the prototypes of a page (html/window/own_realm).
let toPage;
function setToPage(convert) {
  toPage = convert;
}
const resultOf = (value, done) => (toPage === undefined ? { done, value } : toPage({ done, value }));
const bytesOf = (view) => (toPage === undefined ? view : toPage({ value: view }).value);

const kNoItems = Object.freeze([]);

// First in, first out, on a ring that grows: no shifting, no holes.
class Queue {
  constructor() {
    this.items = kNoItems; // most queues stay empty
    this.head = 0;
    this.length = 0;
  }

  push(item) {
    if (this.length === this.items.length) this.grow();
    this.items[(this.head + this.length) & (this.items.length - 1)] = item;
    this.length++;
  }

  shift() {
    const item = this.items[this.head];
    this.items[this.head] = undefined;
    this.head = (this.head + 1) & (this.items.length - 1);
    this.length--;
    return item;
  }

  peek() {
    return this.items[this.head];
  }

  grow() {
    const old = this.items;
    const bigger = [];
    for (let i = 0; i < this.length; i++) arrayPush.call(bigger, old[(this.head + i) & (old.length - 1)]);
    const size = old.length === 0 ? 4 : old.length * 2;
    while (bigger.length < size) arrayPush.call(bigger, undefined);
    this.items = bigger;
    this.head = 0;
  }
}

// https://streams.spec.whatwg.org/#queue-with-sizes
// Without a size function every chunk counts 1 and no sizes are kept.
class SizedQueue {
  constructor(sizeOf) {
    this.sizeOf = sizeOf;
    this.values = new Queue();
    this.sizes = sizeOf === undefined ? null : new Queue();
    this.total = 0;
  }

  get length() {
    return this.values.length;
  }

  // The result of the user's function; it may throw, or be nonsense.
  measure(chunk) {
    const sizeOf = this.sizeOf;
    if (sizeOf === undefined) return 1;
    const size = sizeOf(chunk);
    return +size >= 0 ? +size : size; // nonsense is shown as it came
  }

  push(value, size) {
    if (!(size >= 0) || size === Infinity) throw new ERR_INVALID_ARG_VALUE.RangeError('size', size);
    this.values.push(value);
    if (this.sizes !== null) this.sizes.push(size);
    this.total += size;
  }

  shift() {
    this.total -= this.sizes !== null ? this.sizes.shift() : 1;
    if (this.total < 0) this.total = 0; // rounding
    return this.values.shift();
  }

  reset() {
    this.values = new Queue();
    if (this.sizes !== null) this.sizes = new Queue();
    this.total = 0;
  }
}

const kInspect = Symbol.for('nodejs.util.inspect.custom');

// For console.log: the class's name and a few of its slots.
function inspectAs(object, depth, options, inspect, name, data) {
  if (depth < 0) return object;
  const deeper = { ...options, depth: options.depth == null ? null : options.depth - 1 };
  return `${name} ${inspect(data, deeper)}`;
}

// Instances may be transferred (transfer.js), but not cloned.
function markTransferable(Class) {
  const { setMode, kTransferable } = native('structured_clone');
  setMode(Class.prototype, kTransferable);
}

// Web IDL: members are enumerable, the tag is not writable.
function finishInterface(Class, members) {
  for (const member of each(members)) Object.defineProperty(Class.prototype, member, { enumerable: true });
  Object.defineProperty(Class.prototype, Symbol.toStringTag, {
    __proto__: null,
    value: Class.name,
    configurable: true,
    enumerable: false,
    writable: false,
  });
}

// Settles when the stream closes or errors, locked or not.
function closedWatchOf(stream) {
  if (stream.closedWatch === null) {
    const watch = Promise.withResolvers();
    markHandled(watch.promise);
    stream.closedWatch = watch;
    if (stream.state === 'closed') watch.resolve();
    else if (stream.state === 'errored') watch.reject(stream.storedError);
  }
  return stream.closedWatch;
}

module.exports = {
  setToPage,
  resultOf,
  bytesOf,
  kRecord,
  kInternal,
  kInspect,
  closedWatchOf,
  kUndefinedPromise,
  nop,
  upon,
  markHandled,
  rejected,
  rejectedAndHandled,
  settled,
  resolvedWith,
  hasRecord,
  recordOf,
  toDictionary,
  callbackOf,
  promiseCall,
  convertStrategy,
  extractHighWaterMark,
  markTransferable,
  isDetached,
  Queue,
  SizedQueue,
  inspectAs,
  finishInterface,
  kNothing,
};

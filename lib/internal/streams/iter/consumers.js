// natives: none
// Consumers that read a stream to its end (bytes(), text(), array() …), several at once (merge()), or looks at it in passing (tap()).
'use strict';

const {
  codes: { ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE },
} = require('internal/errors/coded');
const { abortable, ignore } = require('internal/streams/iter/abortable');
const {
  concatenated,
  drainableProtocol,
  isAsyncIterable,
  isSyncIterable,
  toAsyncStreamable,
  toStreamable,
  whenAborted,
} = require('internal/streams/iter/chunks');
const { from, fromSync } = require('internal/streams/iter/from');
const { isAnyArrayBuffer, isSharedArrayBuffer } = require('internal/util/types');
const { validateAbortSignal, validateFunction, validateInteger, validateObject, validateString } = require('internal/util/validators');
const { TextDecoder } = require('internal/encoding/encoding');

function checkOptions(options, isAsync) {
  validateObject(options, 'options');
  if (options.limit !== undefined) validateInteger(options.limit, 'options.limit', 0);
  if (options.encoding !== undefined) {
    validateString(options.encoding, 'options.encoding');
    try {
      new TextDecoder(options.encoding);
    } catch {
      throw new ERR_INVALID_ARG_VALUE.RangeError('options.encoding', options.encoding);
    }
  }
  if (isAsync) validateAbortSignal(options.signal, 'options.signal');
  return options;
}

// Chunks up to a number of bytes.
class Collected {
  chunks = [];
  size = 0;

  constructor(limit = Infinity) {
    this.limit = limit;
  }
  add(batch) {
    for (const chunk of each(batch)) {
      this.size += chunk.byteLength;
      if (this.size > this.limit) throw new ERR_OUT_OF_RANGE('totalBytes', `<= ${this.limit}`, this.size);
      arrayPush.call(this.chunks, chunk);
    }
  }
}

function collectSync(source, options) {
  const { limit } = checkOptions(options, false);
  const collected = new Collected(limit);
  // the program's: it may be an iterable of its own
  for (const batch of fromSync(source)) collected.add(batch);
  return collected.chunks;
}

async function collect(source, options) {
  const { limit, signal } = checkOptions(options, true);
  signal?.throwIfAborted();
  const collected = new Collected(limit);
  const batches = from(signal !== undefined && isAsyncIterable(source) ? abortable(source, signal) : source);
  // the program's: it may be an iterable of its own
  for await (const batch of abortable(batches, signal)) {
    signal?.throwIfAborted();
    collected.add(batch);
  }
  return collected.chunks;
}

function decoded(chunks, { encoding = 'utf-8' }) {
  return new TextDecoder(encoding, { __proto__: null, fatal: true }).decode(concatenated(chunks));
}

function bufferOf(chunks) {
  const bytes = concatenated(chunks);
  const { buffer, byteLength, byteOffset } = bytes;
  const isWhole = byteOffset === 0 && byteLength === buffer.byteLength && !isSharedArrayBuffer(buffer);
  return isWhole ? buffer : new Uint8Array(bytes).buffer;
}

const none = { __proto__: null };
const arraySync = (source, options = none) => collectSync(source, options);
const bytesSync = (source, options = none) => concatenated(collectSync(source, options));
const textSync = (source, options = none) => decoded(collectSync(source, options), options);
const arrayBufferSync = (source, options = none) => bufferOf(collectSync(source, options));
const array = async (source, options = none) => collect(source, options);
const bytes = async (source, options = none) => concatenated(await collect(source, options));
const text = async (source, options = none) => decoded(await collect(source, options), options);
const arrayBuffer = async (source, options = none) => bufferOf(await collect(source, options));

function tap(callback) {
  validateFunction(callback, 'callback');
  return async (chunks, options) => {
    await callback(chunks, options);
    return chunks;
  };
}

function tapSync(callback) {
  validateFunction(callback, 'callback');
  return (chunks) => {
    callback(chunks);
    return chunks;
  };
}

function ondrain(drainable) {
  if (drainable === null || typeof drainable !== 'object') return null;
  return typeof drainable[drainableProtocol] === 'function' ? drainable[drainableProtocol]() : null;
}

function isMergeOptions(value) {
  return (
    value !== null &&
    typeof value === 'object' &&
    !ArrayBuffer.isView(value) &&
    !isAnyArrayBuffer(value) &&
    !isAsyncIterable(value) &&
    !isSyncIterable(value) &&
    typeof value[toStreamable] !== 'function' &&
    typeof value[toAsyncStreamable] !== 'function'
  );
}

// Several iterators of which each has one read under way; what arrives first is first.
class Race {
  #arrived = []; // { iterator, value } or { error }
  #active;
  #wake = ignore;

  constructor(iterators) {
    this.#active = iterators.length;
    for (const iterator of each(iterators)) this.read(iterator);
  }

  read(iterator) {
    promiseThen(
      Promise.resolve(iterator.next()),
      ({ done, value }) => {
        if (done) this.#active--;
        else arrayPush.call(this.#arrived, { iterator, value });
        this.#wake();
      },
      (error) => {
        arrayPush.call(this.#arrived, { failed: true, error });
        this.#wake();
      },
    );
  }

  // The next to arrive; undefined when all have ended.
  async next(signal) {
    for (;;) {
      signal?.throwIfAborted();
      if (this.#arrived.length > 0) return arrayShift.call(this.#arrived);
      if (this.#active === 0) return undefined;
      const { promise, resolve } = Promise.withResolvers();
      this.#wake = resolve;
      const forget = whenAborted(signal, resolve);
      await promise;
      forget();
    }
  }
}

// Ends the sources; the first error of theirs, unless nobody waits for them.
async function endAll(iterators, isAborted) {
  let failure;
  for (const iterator of each(iterators)) {
    try {
      const returned = iterator.return?.();
      if (isAborted) promiseThen(Promise.resolve(returned), ignore, ignore);
      else await returned;
    } catch (error) {
      failure ??= { error };
    }
  }
  return failure;
}

async function* mergeAll(sources, signal) {
  signal?.throwIfAborted();
  const iterators = arrayMap.call(sources, (source) => source[Symbol.asyncIterator]());
  const race = new Race(iterators);
  let failure;
  try {
    for (let item = await race.next(signal); item !== undefined; item = await race.next(signal)) {
      if (item.failed) throw item.error;
      yield item.value;
      race.read(item.iterator);
    }
  } catch (error) {
    failure = { error };
  } finally {
    const failedToEnd = await endAll(iterators, signal?.aborted ?? false);
    if (failure !== undefined && failedToEnd !== undefined) {
      // the program's: the global class
      failure = { error: new globalThis.SuppressedError(failure.error, failedToEnd.error) };
    }
    failure ??= failedToEnd;
    // biome-ignore lint/correctness/noUnsafeFinally: a failure is what the reader gets
    if (failure !== undefined) throw failure.error;
  }
}

function merge(...args) {
  const hasOptions = args.length > 0 && isMergeOptions(args[args.length - 1]);
  const signal = hasOptions ? args[args.length - 1].signal : undefined;
  validateAbortSignal(signal, 'options.signal');
  const given = hasOptions ? arraySlice.call(args, 0, -1) : args;
  // One source alone is ended by the signal itself, not at its next batch.
  const isEnded = given.length === 1 && signal !== undefined && isAsyncIterable(given[0]);
  const sources = isEnded ? [from(abortable(given[0], signal))] : arrayMap.call(given, (source) => from(source));
  return { __proto__: null, [Symbol.asyncIterator]: () => mergeAll(sources, signal) };
}

module.exports = {
  array,
  arrayBuffer,
  arrayBufferSync,
  arraySync,
  bytes,
  bytesSync,
  merge,
  ondrain,
  tap,
  tapSync,
  text,
  textSync,
};

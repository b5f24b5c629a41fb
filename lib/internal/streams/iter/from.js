// natives: none
// from() and fromSync(): a stream of batches from strings, bytes, iterables and objects of the protocol, nested as deep as they are.
'use strict';

const {
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');
const {
  bytesOf,
  hasProtocol,
  isAsyncIterable,
  isBatch,
  isSyncIterable,
  kIsBatched,
  toAsyncStreamable,
  toStreamable,
} = require('internal/streams/iter/chunks');
const { isPromise, isUint8Array } = require('internal/util/types');

// Batches of a source that is there at once are no larger, so that transforms need not hold all of it.
const kBatchSize = 128;
const syncTypes = ['string', 'ArrayBuffer', 'ArrayBufferView', 'Iterable', 'toStreamable'];
const asyncTypes = ['string', 'ArrayBuffer', 'ArrayBufferView', 'Iterable', 'AsyncIterable', 'toStreamable', 'toAsyncStreamable'];

function* slices(batch) {
  for (let i = 0; i < batch.length; i += kBatchSize) {
    yield batch.length <= kBatchSize ? batch : arraySlice.call(batch, i, i + kBatchSize);
  }
}

// Appends the chunks of `value` to `chunks`.
function flattenSync(value, chunks) {
  const bytes = bytesOf(value);
  if (bytes !== undefined) {
    arrayPush.call(chunks, bytes);
  } else if (hasProtocol(value, toStreamable)) {
    flattenSync(value[toStreamable](), chunks);
  } else if (isSyncIterable(value)) {
    // the program's: an iterable of its own
    for (const item of value) flattenSync(item, chunks);
  } else {
    throw new ERR_INVALID_ARG_TYPE('value', syncTypes, value);
  }
}

async function flatten(value, chunks, allowsAsync) {
  if (isPromise(value)) value = await value;
  const bytes = bytesOf(value);
  if (bytes !== undefined) {
    arrayPush.call(chunks, bytes);
    return;
  }
  const isAsync = hasProtocol(value, toAsyncStreamable) || (isAsyncIterable(value) && !Array.isArray(value));
  if (isAsync && !allowsAsync) throw new ERR_INVALID_ARG_TYPE('value', syncTypes, value);
  if (hasProtocol(value, toAsyncStreamable)) {
    await flatten(await value[toAsyncStreamable](), chunks, allowsAsync);
  } else if (hasProtocol(value, toStreamable)) {
    await flatten(value[toStreamable](), chunks, allowsAsync);
  } else if (isAsync) {
    // the program's: an iterable of its own
    for await (const item of value) await flatten(item, chunks, allowsAsync);
  } else if (isSyncIterable(value)) {
    // the program's: an iterable of its own
    for (const item of value) await flatten(item, chunks, allowsAsync);
  } else {
    throw new ERR_INVALID_ARG_TYPE('value', asyncTypes, value);
  }
}

// Collects single chunks into batches; a batch of the source stays one.
class Batcher {
  waiting = [];

  *add(value) {
    if (isUint8Array(value)) {
      arrayPush.call(this.waiting, value);
      if (this.waiting.length === kBatchSize) yield this.take();
      return;
    }
    if (this.waiting.length > 0) yield this.take();
    if (isBatch(value)) yield* each(slices(value));
  }
  take() {
    const batch = this.waiting;
    this.waiting = [];
    return batch;
  }
}

function* batchesSync(source) {
  const batcher = new Batcher();
  // the program's: an iterable of its own
  for (const value of source) {
    yield* each(batcher.add(value));
    if (isUint8Array(value) || isBatch(value)) continue;
    const chunks = [];
    flattenSync(value, chunks);
    yield* each(slices(chunks));
  }
  if (batcher.waiting.length > 0) yield batcher.take();
}

async function* batchesOfSync(source) {
  const batcher = new Batcher();
  // the program's: an iterable of its own
  for (const value of source) {
    yield* each(batcher.add(value));
    if (isUint8Array(value) || isBatch(value)) continue;
    const chunks = [];
    await flatten(value, chunks, false);
    yield* each(slices(chunks));
  }
  if (batcher.waiting.length > 0) yield batcher.take();
}

async function* batchesOfAsync(source) {
  // the program's: an iterable of its own
  for await (const value of source) {
    if (isBatch(value)) {
      if (value.length > 0) yield value;
      continue;
    }
    const chunks = [];
    if (isUint8Array(value)) arrayPush.call(chunks, value);
    else await flatten(value, chunks, true);
    if (chunks.length > 0) yield chunks;
  }
}

const syncIterable = (start) => ({ __proto__: null, [Symbol.iterator]: start });
const asyncIterable = (start) => ({ __proto__: null, [Symbol.asyncIterator]: start });

// A batch that `input` is as it stands: bytes, or an array of them.
function wholeBatch(input) {
  const bytes = bytesOf(input);
  if (bytes !== undefined) return [bytes];
  return Array.isArray(input) && isBatch(input) ? input : undefined;
}

function fromSync(input) {
  if (input === null || input === undefined) throw new ERR_INVALID_ARG_TYPE('input', 'a non-null value', input);
  const whole = wholeBatch(input);
  if (whole !== undefined) return syncIterable(() => slices(whole));
  if (typeof input[toStreamable] === 'function') return fromSync(input[toStreamable]());
  if (isSyncIterable(input)) return syncIterable(() => batchesSync(input));
  if (isAsyncIterable(input)) throw new ERR_INVALID_ARG_TYPE('input', 'a synchronous input (not AsyncIterable)', input);
  if (typeof input === 'object' && typeof input.then === 'function') {
    throw new ERR_INVALID_ARG_TYPE('input', 'a synchronous input (not Promise)', input);
  }
  throw new ERR_INVALID_ARG_TYPE('input', syncTypes, input);
}

function fromStreamable(input) {
  const made = input[toAsyncStreamable]();
  if (made?.[kIsBatched]) return made;
  return asyncIterable(async function* () {
    const resolved = await made;
    // the program's: a stream made by its object
    yield* resolved?.[kIsBatched] ? resolved : from(resolved);
  });
}

function from(input) {
  if (input === null || input === undefined) throw new ERR_INVALID_ARG_TYPE('input', 'a non-null value', input);
  if (input[kIsBatched]) return input;
  const whole = wholeBatch(input);
  if (whole !== undefined) {
    return asyncIterable(async function* () {
      yield* each(slices(whole));
    });
  }
  if (typeof input[toAsyncStreamable] === 'function') return fromStreamable(input);
  if (typeof input[toStreamable] === 'function') return from(input[toStreamable]());
  if (isAsyncIterable(input)) return batchesOfAsync(input);
  if (isSyncIterable(input)) return batchesOfSync(input);
  throw new ERR_INVALID_ARG_TYPE('input', asyncTypes, input);
}

module.exports = { flatten, from, fromSync };

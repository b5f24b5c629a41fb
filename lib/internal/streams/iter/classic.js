// natives: none
// Between node:stream/iter and the classic streams of node:stream, both ways.
'use strict';

const {
  AbortError,
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE, ERR_STREAM_WRITE_AFTER_END },
} = require('internal/errors/coded');
const {
  chunkOf,
  chunksOf,
  drainableProtocol,
  kIsBatched,
  kLeastBudget,
  signalOf,
  sizeOf,
  toAsyncStreamable,
  validateBuffering,
} = require('internal/streams/iter/chunks');
const { flatten } = require('internal/streams/iter/from');
const { validateInteger, validateObject } = require('internal/util/validators');

const kMostChunks = 128;
const kDefaultHighWaterMark = 65536;
const none = { __proto__: null };

// Everything that can be read now, as bytes; undefined when that is nothing.
async function readBatch(readable, isText) {
  const chunks = [];
  for (let i = 0; i < kMostChunks; i++) {
    // After the first only what lies in the buffer: a read() more would ask the source for it.
    if (i > 0 && !(readable._readableState?.length > 0)) break;
    const chunk = readable.destroyed ? null : readable.read();
    if (chunk === null) break;
    arrayPush.call(chunks, chunk);
  }
  if (chunks.length === 0 || !isText) return chunks;
  const flat = [];
  await flatten(chunks, flat, true);
  return flat;
}

async function* readBatches(readable) {
  const { eos } = require('internal/streams/end_of_stream');
  const { destroyer } = require('internal/streams/destroy');
  const isText = readable._readableState !== undefined && (readable._readableState.objectMode || readable._readableState.encoding !== null);
  let wake = () => {};
  let outcome; // { error } or {} when it is over
  const onReadable = () => wake();
  readable.on('readable', onReadable);
  const forget = eos(readable, { writable: false }, (error) => {
    outcome = { error };
    wake();
  });
  try {
    for (;;) {
      const batch = await readBatch(readable, isText);
      if (batch.length > 0) {
        yield batch;
        continue;
      }
      if (outcome?.error) throw outcome.error;
      if (outcome !== undefined) return;
      const { promise, resolve } = Promise.withResolvers();
      wake = resolve;
      await promise;
    }
  } finally {
    // Destroyed, it still tells its end to the listeners, or an error would find none.
    if (outcome === undefined || readable._readableState?.autoDestroy) {
      destroyer(readable, null);
    } else {
      readable.off('readable', onReadable);
      forget();
    }
  }
}

function batchesOf(readable) {
  const batches = readBatches(readable);
  batches[kIsBatched] = true;
  batches.stream = readable;
  return batches;
}

const readers = new WeakMap();
function fromReadable(readable) {
  if (readable === null || typeof readable !== 'object') throw new ERR_INVALID_ARG_TYPE('readable', 'Readable', readable);
  let batches = readers.get(readable);
  if (batches !== undefined) return batches;
  if (typeof readable[toAsyncStreamable] === 'function') {
    batches = readable[toAsyncStreamable]();
  } else if (typeof readable.read === 'function' && typeof readable.on === 'function') {
    batches = batchesOf(readable);
  } else {
    throw new ERR_INVALID_ARG_TYPE('readable', 'Readable', readable);
  }
  readers.set(readable, batches);
  return batches;
}

function toReadable(source, options = none) {
  if (typeof source?.[Symbol.asyncIterator] !== 'function') throw new ERR_INVALID_ARG_TYPE('source', 'AsyncIterable', source);
  validateObject(options, 'options');
  const { highWaterMark = kDefaultHighWaterMark, signal } = options;
  validateInteger(highWaterMark, 'options.highWaterMark', 0);
  const iterator = source[Symbol.asyncIterator]();
  let isOver = false;
  let isPumping = false;
  let room; // resolves the wait for it
  async function pump() {
    try {
      while (!isOver) {
        const { done, value } = await iterator.next();
        if (done) {
          isOver = true;
          readable.push(null);
          return;
        }
        for (const chunk of each(value)) {
          if (readable.push(chunk)) continue;
          await new Promise((resolve) => {
            room = resolve;
          });
          if (isOver) return;
        }
      }
    } catch (error) {
      isOver = true;
      readable.destroy(error);
    }
  }
  const { Readable } = require('internal/streams/stream');
  const readable = new Readable({
    highWaterMark,
    read() {
      if (room !== undefined) {
        const go = room;
        room = undefined;
        go();
      } else if (!isPumping && !isOver) {
        isPumping = true;
        pump();
      }
    },
    destroy(error, callback) {
      isOver = true;
      room?.();
      if (typeof iterator.return !== 'function') return callback(error);
      promiseThen(
        Promise.resolve(iterator.return()),
        () => callback(error),
        (failure) => callback(failure ?? error),
      );
    },
  });
  if (signal !== undefined) require('internal/streams/stream').addAbortSignal(signal, readable);
  return readable;
}

function toReadableSync(source, options = none) {
  if (typeof source?.[Symbol.iterator] !== 'function') throw new ERR_INVALID_ARG_TYPE('source', 'Iterable', source);
  validateObject(options, 'options');
  const { highWaterMark = kDefaultHighWaterMark } = options;
  validateInteger(highWaterMark, 'options.highWaterMark', 0);
  const iterator = source[Symbol.iterator]();
  let batch = [];
  let at = 0;
  const { Readable } = require('internal/streams/stream');
  return new Readable({
    highWaterMark,
    read() {
      for (;;) {
        while (at < batch.length) {
          if (!this.push(batch[at++])) return;
        }
        const { done, value } = iterator.next();
        if (done) {
          this.push(null);
          return;
        }
        batch = value;
        at = 0;
      }
    },
    destroy(error, callback) {
      batch = [];
      iterator.return?.();
      callback(error);
    },
  });
}

// A writer in front of a classic Writable, which does all the buffering.
class ClassicWriter {
  #writable;
  #policy;
  #total = 0;
  #waiting = []; // { resolve, reject } until the next drain
  #onDrain = () => this.#settle((entry) => entry.resolve());
  #onError = (error) => this.#settle((entry) => entry.reject(error));
  #listens = false;

  constructor(writable, policy) {
    this.#writable = writable;
    this.#policy = policy;
  }

  #settle(how) {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const entry of each(waiting)) how(entry);
  }
  #wait(resolve, reject) {
    arrayPush.call(this.#waiting, { resolve, reject });
    if (this.#listens) return;
    this.#listens = true;
    this.#writable.on('drain', this.#onDrain);
    this.#writable.on('error', this.#onError);
  }
  #finish(error) {
    this.#settle((entry) => entry.reject(error ?? new AbortError()));
    if (!this.#listens) return;
    this.#listens = false;
    this.#writable.removeListener('drain', this.#onDrain);
    this.#writable.removeListener('error', this.#onError);
  }

  get #isOpen() {
    const { destroyed, writableEnded, writableFinished } = this.#writable;
    return !destroyed && !writableEnded && !writableFinished;
  }
  get #isFull() {
    return (this.#writable.writableLength ?? 0) >= (this.#writable.writableHighWaterMark ?? kLeastBudget);
  }

  get canWrite() {
    return this.#isOpen ? !this.#isFull : null;
  }
  [drainableProtocol]() {
    if (!this.#isOpen) return null;
    if (!this.#isFull) return Promise.resolve(true);
    return new Promise((resolve) =>
      this.#wait(
        () => resolve(true),
        () => resolve(false),
      ),
    );
  }

  // Classic streams take nothing synchronously.
  writeSync() {
    return false;
  }
  writevSync() {
    return false;
  }
  endSync() {
    return -1;
  }

  async #write(batch) {
    if (!this.#isOpen) throw new ERR_STREAM_WRITE_AFTER_END();
    if (this.#isFull && this.#policy === 'strict') {
      throw new ERR_INVALID_STATE.RangeError('Backpressure violation: buffer is full. Await each write() call to respect backpressure.');
    }
    this.#total += sizeOf(batch);
    if (this.#isFull && this.#policy === 'drop-newest') return undefined;
    const isCorked = batch.length > 1 && typeof this.#writable.cork === 'function' && typeof this.#writable.uncork === 'function';
    if (isCorked) this.#writable.cork();
    let hasRoom = true;
    try {
      for (const chunk of each(batch)) hasRoom = this.#writable.write(chunk);
    } finally {
      if (isCorked) this.#writable.uncork();
    }
    if (hasRoom || this.#policy !== 'unbounded') return undefined;
    return new Promise((resolve, reject) => this.#wait(resolve, reject));
  }
  write(chunk, options) {
    signalOf(options);
    let batch;
    try {
      batch = [chunkOf(chunk)];
    } catch (error) {
      return Promise.reject(error);
    }
    return this.#write(batch);
  }
  writev(chunks, options) {
    const batch = chunksOf(chunks);
    signalOf(options);
    return this.#write(batch);
  }

  end(options) {
    signalOf(options);
    const writable = this.#writable;
    if (writable.writableFinished || writable.destroyed) {
      this.#finish();
      return Promise.resolve(this.#total);
    }
    const { eos } = require('internal/streams/end_of_stream');
    return new Promise((resolve, reject) => {
      if (!writable.writableEnded) writable.end();
      eos(writable, { writable: true, readable: false }, (error) => {
        this.#finish(error);
        if (error) reject(error);
        else resolve(this.#total);
      });
    });
  }
  fail(reason) {
    this.#finish(reason);
    this.#writable.destroy?.(reason);
  }
  [Symbol.dispose]() {
    if (!this.#isOpen) return;
    this.#finish();
    this.#writable.destroy?.();
  }
  [Symbol.asyncDispose]() {
    this[Symbol.dispose]();
    return Promise.resolve();
  }
}

const writers = new WeakMap(); // writable → Map of policy → writer
function fromWritable(writable, options = none) {
  if (typeof writable?.write !== 'function' || typeof writable.on !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('writable', 'Writable', writable);
  }
  validateObject(options, 'options');
  const { backpressure = 'strict' } = options;
  validateBuffering(kLeastBudget, backpressure);
  if (writable.writableObjectMode) {
    throw new ERR_INVALID_STATE('Cannot create a stream/iter Writer from an object-mode Writable');
  }
  if (backpressure === 'drop-oldest') {
    throw new ERR_INVALID_ARG_VALUE('options.backpressure', backpressure, 'drop-oldest is not supported for classic stream.Writable');
  }
  let made = writers.get(writable);
  if (made === undefined) writers.set(writable, (made = new Map()));
  let writer = made.get(backpressure);
  if (writer === undefined) made.set(backpressure, (writer = new ClassicWriter(writable, backpressure)));
  return writer;
}

// Calls back when the synchronous method has done it, or the promise of the other has.
function settle(callback, trySync, async) {
  try {
    if (trySync()) queueMicrotask(() => callback());
    else promiseThen(Promise.resolve(async()), () => callback(), callback);
  } catch (error) {
    callback(error);
  }
}

function toWritable(writer) {
  if (typeof writer?.write !== 'function') throw new ERR_INVALID_ARG_TYPE('writer', 'Writer', writer);
  const has = (method) => typeof writer[method] === 'function';
  const { Buffer } = require('internal/buffer/buffer');
  const bytes = ({ chunk, encoding }) => (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
  const options = {
    highWaterMark: Number.MAX_SAFE_INTEGER,
    write(chunk, encoding, callback) {
      const given = bytes({ chunk, encoding });
      settle(
        callback,
        () => has('writeSync') && writer.writeSync(given),
        () => writer.write(given),
      );
    },
    final(callback) {
      settle(
        callback,
        () => !has('end') || (has('endSync') && writer.endSync() >= 0),
        () => writer.end(),
      );
    },
    destroy(error, callback) {
      if (error && has('fail')) writer.fail(error);
      callback();
    },
  };
  if (has('writev')) {
    options.writev = (entries, callback) => {
      const batch = arrayMap.call(entries, bytes);
      settle(
        callback,
        () => has('writevSync') && writer.writevSync(batch),
        () => writer.writev(batch),
      );
    };
  }
  const { Writable } = require('internal/streams/stream');
  return new Writable(options);
}

module.exports = { batchesOf, fromReadable, fromWritable, toReadable, toReadableSync, toWritable };

// natives: none
// push(): a writer, and an iterable of what it writes, with a buffer of so many bytes between them. duplex(): two of them, crosswise.
'use strict';

const {
  codes: { ERR_INVALID_STATE },
} = require('internal/errors/coded');
const {
  ended,
  kLeastBudget,
  parseTransforms,
  result,
  signalOf,
  sizeOf,
  validateBuffering,
  whenAborted,
} = require('internal/streams/iter/chunks');
const { BufferWriter, kTooManyWrites } = require('internal/streams/iter/buffer_writer');
const { pull } = require('internal/streams/iter/pull');
const { Waiting } = require('internal/streams/iter/waiting');
const { validateAbortSignal, validateObject } = require('internal/util/validators');

// The queue between the writer and the reader.
//
//   writer: open → closing (end() with data in the buffer) → closed;  open, closing → failed
//   reader: active → gone (return) or thrown
class Queue {
  batches = [];
  size = 0;
  total = 0;
  writer = 'open';
  reader = 'active';
  error = undefined;
  writes = new Waiting();
  reads = new Waiting();
  drains = new Waiting();
  end = undefined; // { promise, resolve, reject } while closing

  constructor({ budget = kLeastBudget, backpressure = 'strict', signal }) {
    validateBuffering(budget, backpressure);
    validateAbortSignal(signal, 'options.signal');
    this.budget = budget;
    this.policy = backpressure;
    this.waits = backpressure === 'strict' || backpressure === 'unbounded';
    this.forget = () => {};
    this.forget = whenAborted(signal, () => this.fail(signal.reason));
  }

  get canWrite() {
    if (this.writer !== 'open' || this.reader !== 'active') return null;
    return !this.waits || this.size < this.budget;
  }

  // False when there is no room, or nobody to write for.
  offer(batch) {
    if (this.writer !== 'open' || this.reader !== 'active') return false;
    const size = sizeOf(batch);
    if (size === 0) return true;
    if (this.size >= this.budget) {
      if (this.waits) return false;
      if (this.policy === 'drop-newest') {
        this.total += size;
        return true;
      }
      while (this.size >= this.budget && this.batches.length > 0) this.size -= sizeOf(arrayShift.call(this.batches));
    }
    this.#store(batch, size);
    this.#serve();
    return true;
  }

  offerSync(batch) {
    return this.offer(batch);
  }

  #store(batch, size) {
    arrayPush.call(this.batches, batch);
    this.size += size;
    this.total += size;
  }

  async write(batch, signal) {
    if (this.writer === 'closed') throw new ERR_INVALID_STATE.TypeError('Writer is closed');
    if (this.writer === 'closing') throw new ERR_INVALID_STATE.TypeError('Writer is closing');
    if (this.writer === 'failed' || this.reader === 'thrown') throw this.error;
    if (this.reader === 'gone') throw new ERR_INVALID_STATE.TypeError('Stream closed by consumer');
    signal?.throwIfAborted();
    if (this.offer(batch)) return undefined;
    if (this.policy === 'strict' && this.writes.length >= 1) throw new ERR_INVALID_STATE.RangeError(kTooManyWrites);
    return this.writes.wait(batch, signal);
  }

  #drain() {
    const batch = this.batches.length === 1 ? this.batches[0] : arrayFlat.call(this.batches);
    this.batches = [];
    this.size = 0;
    return batch;
  }

  // Gives readers what there is, then room to those who wait for it.
  #serve() {
    while (this.reads.length > 0 && this.batches.length > 0) {
      this.reads.resolveFirst(result(this.#drain()));
      this.#admit();
    }
    if (this.size < this.budget) this.drains.resolveAll(() => true);
  }

  #admit() {
    while (this.writes.length > 0 && this.size < this.budget) {
      const batch = this.writes.first();
      this.#store(batch, sizeOf(batch));
      this.writes.resolveFirst();
    }
    if (this.size < this.budget) this.drains.resolveAll(() => true);
  }

  // The bytes written when all is over, a promise of them while the buffer is read, undefined after a failure.
  close() {
    if (this.writer === 'failed') return undefined;
    if (this.writer === 'closed') return this.total;
    if (this.writer === 'open') {
      this.forget();
      this.writes.rejectAll(new ERR_INVALID_STATE.TypeError('Writer closed'));
      this.drains.resolveAll(() => false);
      if (this.batches.length === 0) {
        this.writer = 'closed';
        this.reads.resolveAll(ended);
        return this.total;
      }
      this.writer = 'closing';
      this.end = Promise.withResolvers();
      // A program that does not wait for the end gets no unhandled rejection of it.
      promiseThen(this.end.promise, undefined, () => {});
    }
    return this.end.promise;
  }

  #endIfRead() {
    if (this.writer !== 'closing' || this.batches.length > 0) return;
    this.writer = 'closed';
    this.end.resolve(this.total);
  }

  fail(reason) {
    if (this.writer === 'failed' || this.writer === 'closed') return;
    if (this.writer === 'closing') this.end.reject(reason);
    this.writer = 'failed';
    this.error = reason;
    this.forget();
    this.reads.rejectAll(reason);
    this.drains.rejectAll(reason);
    this.writes.rejectAll(reason);
  }

  async read() {
    if (this.batches.length > 0) {
      const batch = this.#drain();
      this.#admit();
      this.#endIfRead();
      return result(batch);
    }
    this.#endIfRead();
    if (this.writer === 'closed' || this.reader === 'gone') return ended();
    if (this.writer === 'failed' || this.reader === 'thrown') throw this.error;
    return this.reads.wait();
  }

  // The reader stops, maybe with an error.
  leave(state, error) {
    if (this.reader !== 'active') return;
    this.reader = state;
    this.forget();
    const reason = state === 'thrown' ? error : new ERR_INVALID_STATE.TypeError('Stream closed by consumer');
    if (state === 'thrown') {
      this.error = error;
      this.reads.rejectAll(error);
      this.drains.rejectAll(error);
    } else {
      this.reads.resolveAll(ended);
      this.drains.resolveAll(() => false);
    }
    this.writes.rejectAll(reason);
    if (this.writer === 'closing') this.end.reject(reason);
  }
}

function unlessAborted(promise, signal) {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const forget = whenAborted(signal, () => reject(signal.reason));
    promiseThen(promise, resolve, reject);
    promiseThen(promise, forget, forget);
  });
}

class Writer extends BufferWriter {
  #queue;

  constructor(queue) {
    super(queue);
    this.#queue = queue;
  }

  end(options) {
    const signal = signalOf(options);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const total = this.#queue.close();
    if (total === undefined) return Promise.reject(this.#queue.error);
    return unlessAborted(Promise.resolve(total), signal);
  }
  endSync() {
    const total = this.#queue.close();
    return typeof total === 'number' ? total : -1;
  }
  fail(reason) {
    this.#queue.fail(arguments.length === 0 ? new ERR_INVALID_STATE('Failed') : reason);
  }

  [Symbol.asyncDispose]() {
    if (this.#queue.writer === 'closing') return this.#queue.end.promise;
    if (this.#queue.writer === 'open') this.fail();
    return Promise.resolve();
  }
}

function readableOf(queue) {
  return {
    __proto__: null,
    [Symbol.asyncIterator]: () => ({
      __proto__: null,
      next: () => queue.read(),
      async return() {
        queue.leave('gone');
        return ended();
      },
      async throw(error) {
        queue.leave('thrown', error);
        throw error;
      },
    }),
  };
}

function push(...args) {
  const { transforms, options = {} } = parseTransforms(args);
  const queue = new Queue(options);
  let readable = readableOf(queue);
  if (transforms.length > 0) {
    const { signal } = options;
    readable =
      signal === undefined ? pull(readable, ...each(transforms)) : pull(readable, ...each(transforms), { __proto__: null, signal });
  }
  return { __proto__: null, writer: new Writer(queue), readable };
}

// One end of a duplex channel.
function makeChannel(writer, source) {
  let iterator;
  let isClosed = false;
  return {
    __proto__: null,
    get writer() {
      return writer;
    },
    get readable() {
      return {
        __proto__: null,
        [Symbol.asyncIterator]() {
          iterator = source[Symbol.asyncIterator]();
          return iterator;
        },
      };
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      writer.endSync();
      await iterator?.return();
    },
    [Symbol.asyncDispose]() {
      return this.close();
    },
  };
}

function duplex(options = { __proto__: null }) {
  validateObject(options, 'options');
  const { a, b, budget, backpressure, signal } = options;
  if (a !== undefined) validateObject(a, 'options.a');
  if (b !== undefined) validateObject(b, 'options.b');
  validateAbortSignal(signal, 'options.signal');
  const there = push({ budget: a?.budget ?? budget, backpressure: a?.backpressure ?? backpressure });
  const back = push({ budget: b?.budget ?? budget, backpressure: b?.backpressure ?? backpressure });
  whenAborted(signal, () => {
    there.writer.fail(signal.reason);
    back.writer.fail(signal.reason);
  });
  return [makeChannel(there.writer, back.readable), makeChannel(back.writer, there.readable)];
}

module.exports = { duplex, push };

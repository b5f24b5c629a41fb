// natives: none
// share() and shareSync(): one source, read when one of its readers wants more, for any number of them.
'use strict';

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_RETURN_VALUE, ERR_OUT_OF_RANGE },
} = require('internal/errors/coded');
const { ignore } = require('internal/streams/iter/abortable');
const { kDefaultBudget } = require('internal/streams/iter/broadcast');
const {
  asError,
  ended,
  hasProtocol,
  isAsyncIterable,
  isSyncIterable,
  parseTransforms,
  result,
  shareProtocol,
  shareSyncProtocol,
  validateBuffering,
  whenAborted,
} = require('internal/streams/iter/chunks');
const { from, fromSync } = require('internal/streams/iter/from');
const { BatchLog } = require('internal/streams/iter/log');
const { pull, pullSync } = require('internal/streams/iter/pull');
const { Waiting } = require('internal/streams/iter/waiting');
const { validateAbortSignal, validateObject } = require('internal/util/validators');

class SharedSource {
  #source;
  #iterator;
  #budget;
  #policy;
  #log = new BatchLog();
  #isPulling = false;
  #isOver = false;
  #isCancelled = false;
  #error;
  #changes = new Waiting(); // those who wait for data or for room

  constructor(source, budget, policy) {
    this.#source = source;
    this.#budget = budget;
    this.#policy = policy;
  }

  get consumerCount() {
    return this.#log.readers.size;
  }

  pull(...args) {
    const { transforms, options } = parseTransforms(args);
    const reader = { __proto__: null, place: 0, isGone: false, last: Promise.resolve() };
    this.#log.addReader(reader);
    const leave = async () => {
      this.#leave(reader);
      return ended();
    };
    const next = () => {
      // One after the other: each sees what the one before has left.
      const read = promiseThen(reader.last, () => this.#next(reader));
      reader.last = promiseThen(read, ignore, ignore);
      return read;
    };
    const consumer = { __proto__: null, [Symbol.asyncIterator]: () => ({ __proto__: null, next, return: leave, throw: leave }) };
    if (options?.signal !== undefined) return pull(consumer, ...each(transforms), options);
    return transforms.length > 0 ? pull(consumer, ...each(transforms)) : consumer;
  }

  cancel(reason) {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    if (reason !== undefined) this.#error = { reason };
    const returned = this.#iterator?.return?.();
    promiseThen(Promise.resolve(returned), ignore, ignore);
    for (const reader of each(this.#log.readers)) reader.isGone = true;
    this.#log.readers.clear();
    this.#changes.resolveAll(ignore);
  }
  [Symbol.dispose]() {
    this.cancel();
  }

  #leave(reader) {
    reader.isGone = true;
    this.#log.readers.delete(reader);
    if (this.#log.forgetRead()) this.#changes.resolveAll(ignore);
  }

  #over(reader) {
    this.#leave(reader);
    if (this.#error !== undefined) throw this.#error.reason;
    return ended();
  }

  async #next(reader) {
    for (;;) {
      if (reader.isGone || this.#isCancelled || (this.#error !== undefined && !this.#log.has(reader))) return this.#over(reader);
      if (this.#log.has(reader)) {
        const batch = this.#log.take(reader);
        if (this.#log.forgetRead()) this.#changes.resolveAll(ignore);
        return result(batch);
      }
      if (this.#isOver) return this.#over(reader);
      await this.#advance();
    }
  }

  // Something has changed when it returns: a batch more, room, or the end.
  async #advance() {
    if (this.#isPulling) return this.#changes.wait();
    let isDropped = false;
    if (this.#log.size >= this.#budget) {
      if (this.#policy === 'strict') throw new ERR_OUT_OF_RANGE('buffered bytes', `< ${this.#budget}`, this.#log.size);
      if (this.#policy === 'unbounded') return this.#changes.wait();
      if (this.#policy === 'drop-oldest') this.#log.dropOldest(this.#budget);
      else isDropped = true;
    }
    this.#isPulling = true;
    try {
      this.#iterator ??= this.#source[Symbol.asyncIterator]();
      const { done, value } = await this.#iterator.next();
      if (done) this.#isOver = true;
      else if (!isDropped) this.#log.append(value);
    } catch (error) {
      this.#error = { reason: asError(error) };
      this.#isOver = true;
    } finally {
      this.#isPulling = false;
      this.#changes.resolveAll(ignore);
    }
    return undefined;
  }
}

class SharedSyncSource {
  #source;
  #iterator;
  #budget;
  #policy;
  #log = new BatchLog();
  #isOver = false;
  #isCancelled = false;
  #error;

  constructor(source, budget, policy) {
    this.#source = source;
    this.#budget = budget;
    this.#policy = policy;
  }

  get consumerCount() {
    return this.#log.readers.size;
  }
  get bufferSize() {
    return this.#log.count;
  }

  pull(...transforms) {
    const reader = { __proto__: null, place: 0, isGone: false };
    this.#log.addReader(reader);
    const leave = () => this.#leave(reader);
    const consumer = {
      __proto__: null,
      [Symbol.iterator]: () => ({ __proto__: null, next: () => this.#next(reader), return: leave, throw: leave }),
    };
    return transforms.length > 0 ? pullSync(consumer, ...each(transforms)) : consumer;
  }

  cancel(reason) {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    if (reason !== undefined) this.#error = { reason };
    this.#iterator?.return?.();
    for (const reader of each(this.#log.readers)) reader.isGone = true;
    this.#log.readers.clear();
  }
  [Symbol.dispose]() {
    this.cancel();
  }

  #leave(reader) {
    reader.isGone = true;
    this.#log.readers.delete(reader);
    this.#log.forgetRead();
    return ended();
  }

  #next(reader) {
    if (reader.isGone) return ended();
    if (this.#error !== undefined && !this.#log.has(reader)) {
      this.#leave(reader);
      throw this.#error.reason;
    }
    if (!this.#log.has(reader) && !this.#isOver && !this.#isCancelled) {
      if (!this.#makeRoom()) return this.#leave(reader);
      this.#advance();
    }
    if (this.#log.has(reader)) {
      const batch = this.#log.take(reader);
      this.#log.forgetRead();
      return result(batch);
    }
    this.#leave(reader);
    if (this.#error !== undefined) throw this.#error.reason;
    return ended();
  }

  #makeRoom() {
    if (this.#log.size < this.#budget) return true;
    if (this.#policy === 'drop-newest') return false;
    if (this.#policy !== 'drop-oldest') {
      const note = this.#policy === 'strict' ? '' : ' (unbounded not available in sync context)';
      throw new ERR_OUT_OF_RANGE('buffered bytes', `< ${this.#budget}${note}`, this.#log.size);
    }
    this.#log.dropOldest(this.#budget);
    return true;
  }

  #advance() {
    try {
      this.#iterator ??= this.#source[Symbol.iterator]();
      const { done, value } = this.#iterator.next();
      if (done) this.#isOver = true;
      else this.#log.append(value);
    } catch (error) {
      this.#error = { reason: asError(error) };
      this.#isOver = true;
    }
  }
}

function share(source, options = { __proto__: null }) {
  const batches = from(source);
  validateObject(options, 'options');
  const { budget = kDefaultBudget, backpressure = 'strict', signal } = options;
  validateBuffering(budget, backpressure);
  validateAbortSignal(signal, 'options.signal');
  const shared = new SharedSource(batches, budget, backpressure);
  whenAborted(signal, () => shared.cancel(signal.reason));
  return shared;
}

function shareSync(source, options = { __proto__: null }) {
  const batches = fromSync(source);
  validateObject(options, 'options');
  const { budget = kDefaultBudget, backpressure = 'strict' } = options;
  validateBuffering(budget, backpressure);
  return new SharedSyncSource(batches, budget, backpressure);
}

// The stream that an object of the protocol shares.
function sharedBy(input, symbol, options) {
  const shared = input[symbol](options);
  if (shared !== null && typeof shared === 'object') return shared;
  throw new ERR_INVALID_RETURN_VALUE('an object', `[Symbol.for('${symbol.description}')]`, shared);
}

const Share = {
  __proto__: null,
  from(input, options) {
    if (hasProtocol(input, shareProtocol)) return sharedBy(input, shareProtocol, options);
    if (isAsyncIterable(input) || isSyncIterable(input)) return share(input, options);
    throw new ERR_INVALID_ARG_TYPE('input', ['Shareable', 'AsyncIterable', 'Iterable'], input);
  },
};

const SyncShare = {
  __proto__: null,
  fromSync(input, options) {
    if (hasProtocol(input, shareSyncProtocol)) return sharedBy(input, shareSyncProtocol, options);
    if (isSyncIterable(input)) return shareSync(input, options);
    throw new ERR_INVALID_ARG_TYPE('input', ['SyncShareable', 'Iterable'], input);
  },
};

module.exports = { Share, share, shareSync, SyncShare };

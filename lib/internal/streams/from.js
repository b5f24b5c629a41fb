// natives: none
// Readable.from(iterable): pulls from a sync or async iterator while the stream
// wants more. Values that are promises are awaited; as long as none is, nothing
// is deferred. Destroying the stream closes the iterator.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const {
  aggregateTwoErrors,
  codes: { ERR_INVALID_ARG_TYPE, ERR_STREAM_NULL_VALUES },
} = require('internal/errors/coded');

function from(Readable, iterable, options) {
  if (typeof iterable === 'string' || iterable instanceof Buffer) {
    return new Readable({
      objectMode: true,
      ...options,
      read() {
        this.push(iterable);
        this.push(null);
      },
    });
  }
  const isAsync = !!iterable?.[Symbol.asyncIterator];
  if (!isAsync && !iterable?.[Symbol.iterator]) {
    throw new ERR_INVALID_ARG_TYPE('iterable', ['Iterable'], iterable);
  }
  const iterator = isAsync ? iterable[Symbol.asyncIterator]() : iterable[Symbol.iterator]();
  const readable = new Readable({ objectMode: true, highWaterMark: 1, ...options });
  const source = new IteratorSource(readable, iterator, isAsync);
  const ownDestroy = readable._destroy;
  readable._read = () => {
    source.start();
  };
  readable._destroy = function (error, callback) {
    call2(ownDestroy, this, error, (destroyError) => {
      const reason = destroyError || error;
      // On a tick: a callback that throws must not reject these promises.
      promiseThen(
        closeIterator(iterator, reason),
        () => process.nextTick(callback, reason),
        (closeError) => process.nextTick(callback, aggregateTwoErrors(reason, closeError)),
      );
    });
  };
  return readable;
}

class IteratorSource {
  constructor(readable, iterator, isAsync) {
    this.readable = readable;
    this.iterator = iterator;
    this.isAsync = isAsync;
    this.sawPromise = false;
    this.running = false; // _read may come again before the last value did
  }

  start() {
    if (this.running) return;
    this.running = true;
    if (this.isAsync) this.runAsync();
    else if (this.sawPromise) this.runAwaiting();
    else this.runSync();
  }

  // Pushes one value; true when the stream wants the next at once.
  deliver(value) {
    if (value === null) {
      this.running = false;
      throw new ERR_STREAM_NULL_VALUES();
    }
    if (this.readable.push(value)) return true;
    this.running = false;
    return false;
  }

  runSync() {
    try {
      while (true) {
        const { value, done } = this.iterator.next();
        if (done) {
          this.readable.push(null);
          return;
        }
        if (value && typeof value.then === 'function') {
          this.sawPromise = true;
          this.continueWith(value);
          return;
        }
        if (!this.deliver(value)) return;
      }
    } catch (error) {
      this.readable.destroy(error);
    }
  }

  async continueWith(promise) {
    try {
      if (!this.deliver(await promise)) return;
    } catch (error) {
      this.readable.destroy(error);
      return;
    }
    this.runAwaiting();
  }

  async runAwaiting() {
    try {
      while (true) {
        const { value, done } = this.iterator.next();
        if (done) {
          this.readable.push(null);
          return;
        }
        const isPromise = value && typeof value.then === 'function';
        if (!this.deliver(isPromise ? await value : value)) return;
      }
    } catch (error) {
      this.readable.destroy(error);
    }
  }

  async runAsync() {
    try {
      while (true) {
        const { value, done } = await this.iterator.next();
        if (done) {
          this.readable.push(null);
          return;
        }
        if (!this.deliver(value)) return;
      }
    } catch (error) {
      this.readable.destroy(error);
    }
  }
}

async function closeIterator(iterator, error) {
  if (error != null && typeof iterator.throw === 'function') {
    const { value, done } = await iterator.throw(error);
    await value;
    if (done) return;
  }
  if (typeof iterator.return === 'function') {
    const { value } = await iterator.return();
    await value;
  }
}

module.exports = from;

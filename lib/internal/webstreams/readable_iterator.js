// natives: none
// `for await (const chunk of readableStream)`: the async iterator of a
// ReadableStream. Calls of next() and return() queue up behind one another.
// https://streams.spec.whatwg.org/#rs-asynciterator
'use strict';

const {
  codes: { ERR_INVALID_STATE },
} = require('internal/errors/coded');
const { hiddenSymbol } = require('internal/util/hidden_symbol');
const { kUndefinedPromise, upon, rejected, resultOf } = require('internal/webstreams/shared');
const { readFromDefaultReader, readableStreamCancel, releaseReader } = require('internal/webstreams/readable_core');

const asyncIteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

class IterationState {
  constructor(reader, preventCancel) {
    this.reader = reader;
    this.preventCancel = preventCancel;
    this.isStarted = false;
    this.ongoing = null; // the last call's promise, while it is pending
    this.waiting = 0; // calls behind it
    this.settledAtOnce = false;
    this.finished = false;
  }

  next() {
    if (this.finished) return Promise.resolve({ done: true, value: undefined });
    const { reader } = this;
    if (reader.stream === null) {
      return rejected(new ERR_INVALID_STATE.TypeError('The reader is not bound to a ReadableStream'));
    }
    const { promise, resolve, reject } = Promise.withResolvers();
    readFromDefaultReader(reader, {
      chunkSteps: (value) => {
        this.settle();
        resolve(resultOf(value, false));
      },
      closeSteps: () => {
        this.finish();
        resolve({ done: true, value: undefined });
      },
      errorSteps: (error) => {
        this.finish();
        reject(error);
      },
    });
    return promise;
  }

  // The next call need not wait, unless others wait already.
  settle() {
    this.settledAtOnce = true;
    if (this.waiting === 0) this.ongoing = null;
  }

  finish() {
    this.settle();
    this.finished = true;
    releaseReader(this.reader);
  }

  return(value) {
    if (this.finished) return Promise.resolve({ done: true, value });
    this.finished = true;
    const { reader } = this;
    if (reader.stream === null) {
      return rejected(new ERR_INVALID_STATE.TypeError('The reader is not bound to a ReadableStream'));
    }
    if (this.preventCancel) {
      releaseReader(reader);
      return Promise.resolve({ done: true, value });
    }
    const cancelled = readableStreamCancel(reader.stream, value);
    releaseReader(reader);
    return upon(cancelled, () => ({ done: true, value }));
  }

  // One call after the other. A read that comes first waits for a microtask, as in Node: a source that starts at once has pulled by then.
  enqueue(step, isRead) {
    if (!this.isStarted && isRead) this.ongoing = kUndefinedPromise;
    this.isStarted = true;
    if (this.ongoing !== null) {
      const run = () => {
        this.waiting--;
        return step();
      };
      this.waiting++;
      this.ongoing = upon(this.ongoing, run, run);
      return this.ongoing;
    }
    this.settledAtOnce = false;
    const promise = step();
    if (!this.settledAtOnce) this.ongoing = promise;
    return promise;
  }
}

const kIteration = hiddenSymbol('kIteration');

const readableStreamAsyncIteratorPrototype = Object.setPrototypeOf(
  {
    next() {
      const state = this[kIteration];
      return state.enqueue(() => state.next(), true);
    },
    return(value) {
      const state = this[kIteration];
      return state.enqueue(() => state.return(value), false);
    },
  },
  asyncIteratorPrototype,
);

function iteratorOf(reader, preventCancel) {
  const iterator = Object.create(readableStreamAsyncIteratorPrototype);
  Object.defineProperty(iterator, kIteration, { value: new IterationState(reader, preventCancel) });
  return iterator;
}

module.exports = { iteratorOf };

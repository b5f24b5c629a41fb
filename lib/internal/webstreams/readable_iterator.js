// natives: none
// `for await (const chunk of readableStream)`: the async iterator of a
// ReadableStream. Calls of next() and return() queue up behind one another.
// https://streams.spec.whatwg.org/#rs-asynciterator
'use strict';

const {
  codes: { ERR_INVALID_STATE },
} = require('internal/errors/coded');
const { hiddenSymbol } = require('internal/util/hidden_symbol');
const { kUndefinedPromise, upon, rejected } = require('internal/webstreams/shared');
const { readFromDefaultReader, readableStreamCancel, releaseReader } = require('internal/webstreams/readable_core');

const asyncIteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

class IterationState {
  constructor(reader, preventCancel) {
    this.reader = reader;
    this.preventCancel = preventCancel;
    this.ongoing = null; // the last call's promise, while it is pending
    this.settledAtOnce = false;
    this.finished = false;
  }

  next() {
    if (this.finished) return Promise.resolve({ value: undefined, done: true });
    const { reader } = this;
    if (reader.stream === null) {
      return rejected(new ERR_INVALID_STATE.TypeError('The reader is not bound to a ReadableStream'));
    }
    const { promise, resolve, reject } = Promise.withResolvers();
    let isAsked = true;
    readFromDefaultReader(reader, {
      chunkSteps: (value) => {
        if (isAsked) {
          this.settle(promise);
          resolve({ value, done: false });
        } else {
          // A turn later, as a reaction to the read: the source pulls first.
          upon(kUndefinedPromise, () => {
            this.settle(promise);
            resolve({ value, done: false });
          });
        }
      },
      closeSteps: () => {
        this.finish(promise);
        resolve({ value: undefined, done: true });
      },
      errorSteps: (error) => {
        this.finish(promise);
        reject(error);
      },
    });
    isAsked = false;
    return promise;
  }

  settle(promise) {
    this.settledAtOnce = true;
    if (this.ongoing === promise) this.ongoing = null;
  }

  finish(promise) {
    this.settle(promise);
    this.finished = true;
    releaseReader(this.reader);
  }

  return(value) {
    if (this.finished) return Promise.resolve({ value, done: true });
    this.finished = true;
    const { reader } = this;
    if (reader.stream === null) {
      return rejected(new ERR_INVALID_STATE.TypeError('The reader is not bound to a ReadableStream'));
    }
    if (this.preventCancel) {
      releaseReader(reader);
      return Promise.resolve({ value, done: true });
    }
    const cancelled = readableStreamCancel(reader.stream, value);
    releaseReader(reader);
    return upon(cancelled, () => ({ value, done: true }));
  }

  // One call after the other.
  enqueue(step) {
    if (this.ongoing !== null) {
      this.ongoing = upon(this.ongoing, step, step);
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
      return state.enqueue(() => state.next());
    },
    return(value) {
      const state = this[kIteration];
      return state.enqueue(() => state.return(value));
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

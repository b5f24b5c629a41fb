// natives: none
// ReadableStream itself: construction from an underlying source or an iterable,
// locking, cancelling, piping, teeing and async iteration.
// https://streams.spec.whatwg.org/#rs-class
'use strict';

const {
  codes: { ERR_ARG_NOT_ITERABLE, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE, ERR_INVALID_THIS },
} = require('internal/errors/coded');
const { kIsClosedPromise, kControllerErrorFunction, kIsDisturbed, kIsErrored, kIsReadable } = require('internal/streams/utils');
const {
  kRecord,
  closedWatchOf,
  kInternal,
  kInspect,
  upon,
  rejected,
  markHandled,
  hasRecord,
  recordOf,
  toDictionary,
  callbackOf,
  convertStrategy,
  extractHighWaterMark,
  inspectAs,
  markTransferable,
  finishInterface,
  kNothing,
  kUndefinedPromise,
} = require('internal/webstreams/shared');
const { ReadableStreamRecord, isLocked, readableStreamCancel, acquireDefaultReader } = require('internal/webstreams/readable_core');
const {
  setUpDefaultController,
  setUpFromSource,
  closeController,
  enqueueChunk,
  errorController,
} = require('internal/webstreams/default_controller');
const { ByteControllerRecord, errorByteController } = require('internal/webstreams/byte_controller');
const { setUpFromByteSource, toLength } = require('internal/webstreams/byte_classes');
const { ReadableStreamDefaultReader, ReadableStreamBYOBReader } = require('internal/webstreams/readers');
const { WritableStreamRecord } = require('internal/webstreams/writable_core');

// Members in the order Web IDL reads them.
function convertSource(source) {
  const autoAllocateChunkSize = source.autoAllocateChunkSize;
  const members = {
    autoAllocateChunkSize:
      autoAllocateChunkSize === undefined ? undefined : toLength(autoAllocateChunkSize, 'source.autoAllocateChunkSize'),
    cancel: callbackOf(source, 'cancel', 'source'),
    pull: callbackOf(source, 'pull', 'source'),
    start: callbackOf(source, 'start', 'source'),
    type: source.type,
  };
  if (members.type !== undefined && `${members.type}` !== 'bytes') {
    throw new ERR_INVALID_ARG_VALUE('source.type', members.type);
  }
  return members;
}

class ReadableStream {
  constructor(source = kNothing, strategy = kNothing) {
    if (source === kInternal) {
      this[kRecord] = strategy;
      strategy.object = this;
      return;
    }
    if (source === null || (typeof source !== 'object' && typeof source !== 'function')) {
      throw new ERR_INVALID_ARG_TYPE('source', 'Object', source);
    }
    const queuing = convertStrategy(strategy);
    const members = convertSource(source);
    const record = new ReadableStreamRecord();
    this[kRecord] = record;
    record.object = this;
    if (members.type !== undefined) {
      if (queuing.size !== undefined) throw new ERR_INVALID_ARG_VALUE.RangeError('strategy.size', queuing.size);
      const mark = extractHighWaterMark(queuing, 0);
      if (members.autoAllocateChunkSize === 0) {
        throw new ERR_INVALID_ARG_VALUE('source.autoAllocateChunkSize', 0);
      }
      setUpFromByteSource(record, source, members, mark);
    } else {
      setUpFromSource(record, source, members, extractHighWaterMark(queuing, 1), queuing.size);
    }
  }

  static from(iterable) {
    return fromIterable(iterable);
  }

  get locked() {
    return isLocked(recordOf(this, ReadableStreamRecord, 'ReadableStream'));
  }

  cancel(reason = undefined) {
    if (!hasRecord(this, ReadableStreamRecord)) return rejected(new ERR_INVALID_THIS('ReadableStream'));
    const record = this[kRecord];
    if (isLocked(record)) return rejected(new ERR_INVALID_STATE.TypeError('ReadableStream is locked'));
    return readableStreamCancel(record, reason);
  }

  getReader(options = undefined) {
    recordOf(this, ReadableStreamRecord, 'ReadableStream');
    const { mode } = toDictionary(options, 'options');
    if (mode === undefined) return new ReadableStreamDefaultReader(this);
    if (`${mode}` !== 'byob') throw new ERR_INVALID_ARG_VALUE('options.mode', mode);
    return new ReadableStreamBYOBReader(this);
  }

  pipeThrough(transform, options = undefined) {
    const record = recordOf(this, ReadableStreamRecord, 'ReadableStream');
    const pair = toDictionary(transform, 'transform');
    const { readable } = pair;
    if (!hasRecord(readable, ReadableStreamRecord)) {
      throw new ERR_INVALID_ARG_TYPE('transform.readable', 'ReadableStream', readable);
    }
    const { writable } = pair;
    if (!hasRecord(writable, WritableStreamRecord)) {
      throw new ERR_INVALID_ARG_TYPE('transform.writable', 'WritableStream', writable);
    }
    const pipeOptions = convertPipeOptions(options);
    if (isLocked(record)) throw new ERR_INVALID_STATE.TypeError('The ReadableStream is locked');
    if (writable[kRecord].writer !== null) throw new ERR_INVALID_STATE.TypeError('The WritableStream is locked');
    markHandled(pipe(record, writable[kRecord], pipeOptions));
    return readable;
  }

  pipeTo(destination, options = undefined) {
    try {
      const record = recordOf(this, ReadableStreamRecord, 'ReadableStream');
      if (!hasRecord(destination, WritableStreamRecord)) {
        throw new ERR_INVALID_ARG_TYPE('destination', 'WritableStream', destination);
      }
      const pipeOptions = convertPipeOptions(options);
      if (isLocked(record)) throw new ERR_INVALID_STATE.TypeError('The ReadableStream is locked');
      if (destination[kRecord].writer !== null) throw new ERR_INVALID_STATE.TypeError('The WritableStream is locked');
      return pipe(record, destination[kRecord], pipeOptions);
    } catch (error) {
      return rejected(error);
    }
  }

  tee() {
    const record = recordOf(this, ReadableStreamRecord, 'ReadableStream');
    return arrayMap.call(readableStreamTee(record), toObject);
  }

  values(options = undefined) {
    const record = recordOf(this, ReadableStreamRecord, 'ReadableStream');
    const { preventCancel = false } = toDictionary(options, 'options');
    const { iteratorOf } = require('internal/webstreams/readable_iterator');
    return iteratorOf(acquireDefaultReader(record), !!preventCancel);
  }

  get [kIsDisturbed]() {
    return this[kRecord].disturbed;
  }
  get [kIsErrored]() {
    return this[kRecord].state === 'errored';
  }
  get [kIsReadable]() {
    return this[kRecord].state === 'readable';
  }
  get [kIsClosedPromise]() {
    return closedWatchOf(this[kRecord]);
  }
  get [kControllerErrorFunction]() {
    const { controller } = this[kRecord];
    const fail = controller instanceof ByteControllerRecord ? errorByteController : errorController;
    return (error) => {
      fail(controller, error);
    };
  }

  [kInspect](depth, options, inspect) {
    const { state, controller } = recordOf(this, ReadableStreamRecord, 'ReadableStream');
    return inspectAs(this, depth, options, inspect, 'ReadableStream', {
      locked: this.locked,
      state,
      supportsBYOB: controller instanceof ByteControllerRecord,
    });
  }
}
Object.defineProperty(ReadableStream.prototype, Symbol.asyncIterator, {
  __proto__: null,
  value: ReadableStream.prototype.values,
  configurable: true,
  enumerable: false,
  writable: true,
});
finishInterface(ReadableStream, ['locked', 'cancel', 'getReader', 'pipeThrough', 'pipeTo', 'tee', 'values']);
Object.defineProperty(ReadableStream, 'from', { enumerable: true });
markTransferable(ReadableStream);

function toObject(record) {
  return record.object ?? new ReadableStream(kInternal, record);
}

function convertPipeOptions(options) {
  const dictionary = toDictionary(options, 'options');
  const converted = {
    preventAbort: !!dictionary.preventAbort,
    preventCancel: !!dictionary.preventCancel,
    preventClose: !!dictionary.preventClose,
    signal: dictionary.signal,
  };
  const { signal } = converted;
  if (signal !== undefined) require('internal/util/validators').validateAbortSignal(signal, 'options.signal');
  return converted;
}

function pipe(source, destination, options) {
  return require('internal/webstreams/pipe_to').readableStreamPipeTo(source, destination, options);
}

function readableStreamTee(record, clones = false) {
  const isBytes = record.controller instanceof ByteControllerRecord;
  return isBytes ? require('internal/webstreams/byte_tee').byteTee(record) : require('internal/webstreams/tee').defaultTee(record, clones);
}

// https://streams.spec.whatwg.org/#create-readable-stream, as a record.
function createReadableStream(start, pull, cancel, highWaterMark = 1, sizeOf = undefined) {
  const record = new ReadableStreamRecord();
  setUpDefaultController(record, start, pull, cancel, highWaterMark, sizeOf);
  return record;
}

// https://streams.spec.whatwg.org/#readable-stream-from-iterable
function fromIterable(iterable) {
  const iterator = asyncIteratorOf(iterable);
  const next = iterator.next;
  const record = createReadableStream(
    undefined,
    () => {
      let result;
      try {
        result = call0(next, iterator);
      } catch (error) {
        return rejected(error);
      }
      return upon(Promise.resolve(result), (step) => {
        if (step === null || typeof step !== 'object') {
          throw new ERR_INVALID_STATE.TypeError('The promise returned by the iterator.next() method must fulfill with an object');
        }
        if (step.done) closeController(record.controller);
        else enqueueChunk(record.controller, step.value);
      });
    },
    (reason) => {
      let result;
      try {
        const { return: returnMethod } = iterator;
        if (returnMethod == null) return kUndefinedPromise;
        result = call1(returnMethod, iterator, reason);
      } catch (error) {
        return rejected(error);
      }
      return upon(Promise.resolve(result), (step) => {
        if (step === null || typeof step !== 'object') {
          throw new ERR_INVALID_STATE.TypeError('The promise returned by the iterator.return() method must fulfill with an object');
        }
      });
    },
    0,
  );
  return toObject(record);
}

function asyncIteratorOf(iterable) {
  const asyncMethod = iterable?.[Symbol.asyncIterator];
  const method = asyncMethod ?? iterable?.[Symbol.iterator];
  if (typeof method !== 'function') throw new ERR_ARG_NOT_ITERABLE(iterable);
  const iterator = call0(method, iterable);
  if (iterator === null || (typeof iterator !== 'object' && typeof iterator !== 'function')) {
    throw new ERR_INVALID_STATE.TypeError('The iterator method must return an object');
  }
  return asyncMethod == null ? awaitingIterator(iterator) : iterator;
}

// A sync iterator whose values are awaited, as `for await` does.
function awaitingIterator(iterator) {
  const { next } = iterator;
  const settle = (step) => {
    if (step === null || typeof step !== 'object') {
      throw new ERR_INVALID_STATE.TypeError('The iterator must return an object');
    }
    const { done, value } = step;
    return upon(Promise.resolve(value), (settledValue) => ({ done: !!done, value: settledValue }));
  };
  return {
    next: () => settle(call0(next, iterator)),
    get return() {
      const method = iterator.return;
      return method == null ? undefined : (value) => settle(call1(method, iterator, value));
    },
  };
}

// Of a stream of the library's own, though a reader has locked it.
const cancelLocked = (stream, reason) => readableStreamCancel(stream[kRecord], reason);

module.exports = { ReadableStream, cancelLocked, createReadableStream, readableStreamTee, toObject };

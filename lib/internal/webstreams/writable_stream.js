// natives: none
// WritableStream, WritableStreamDefaultWriter and WritableStreamDefaultController:
// the public faces of writable_core.js.
// https://streams.spec.whatwg.org/#ws-class
'use strict';

const {
  codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE, ERR_INVALID_THIS },
} = require('internal/errors/coded');
const { kIsClosedPromise, kControllerErrorFunction, kIsErrored, kIsWritable } = require('internal/streams/utils');
const {
  kRecord,
  closedWatchOf,
  kInternal,
  kInspect,
  rejected,
  hasRecord,
  recordOf,
  callbackOf,
  promiseCall,
  convertStrategy,
  extractHighWaterMark,
  inspectAs,
  markTransferable,
  finishInterface,
  kNothing,
} = require('internal/webstreams/shared');
const {
  WritableStreamRecord,
  WriterRecord,
  WritableControllerRecord,
  kNoAlgorithm,
  isCloseQueuedOrInFlight,
  writableStreamAbort,
  writableStreamClose,
  signalOf,
  errorWritable,
  errorWritableIfNeeded,
  setUpWritableController,
  setUpWriter,
  writerDesiredSize,
  writerWrite,
  releaseWriter,
} = require('internal/webstreams/writable_core');

class WritableStream {
  constructor(sink = kNothing, strategy = kNothing) {
    if (sink === kInternal) {
      this[kRecord] = strategy;
      strategy.object = this;
      return;
    }
    if (sink === null || (typeof sink !== 'object' && typeof sink !== 'function')) {
      throw new ERR_INVALID_ARG_TYPE('sink', 'Object', sink);
    }
    const queuing = convertStrategy(strategy);
    // In the order Web IDL reads them.
    const members = {
      abort: callbackOf(sink, 'abort', 'sink'),
      close: callbackOf(sink, 'close', 'sink'),
      start: callbackOf(sink, 'start', 'sink'),
      type: sink.type,
      write: callbackOf(sink, 'write', 'sink'),
    };
    if (members.type !== undefined) throw new ERR_INVALID_ARG_VALUE.RangeError('type', members.type);
    this[kRecord] = new WritableStreamRecord();
    this[kRecord].object = this;
    setUpFromSink(this[kRecord], sink, members, extractHighWaterMark(queuing, 1), queuing.size);
  }

  get locked() {
    return recordOf(this, WritableStreamRecord, 'WritableStream').writer !== null;
  }

  abort(reason = undefined) {
    if (!hasRecord(this, WritableStreamRecord)) return rejected(new ERR_INVALID_THIS('WritableStream'));
    const record = this[kRecord];
    if (record.writer !== null) return rejected(new ERR_INVALID_STATE.TypeError('WritableStream is locked'));
    return writableStreamAbort(record, reason);
  }

  close() {
    if (!hasRecord(this, WritableStreamRecord)) return rejected(new ERR_INVALID_THIS('WritableStream'));
    const record = this[kRecord];
    if (record.writer !== null) return rejected(new ERR_INVALID_STATE.TypeError('WritableStream is locked'));
    if (isCloseQueuedOrInFlight(record)) {
      return rejected(new ERR_INVALID_STATE.TypeError('Failure closing WritableStream'));
    }
    return writableStreamClose(record);
  }

  getWriter() {
    recordOf(this, WritableStreamRecord, 'WritableStream');
    return new WritableStreamDefaultWriter(this);
  }

  get [kIsErrored]() {
    return this[kRecord].state === 'errored' || this[kRecord].state === 'erroring';
  }
  get [kIsWritable]() {
    return this[kRecord].state === 'writable';
  }
  get [kIsClosedPromise]() {
    return closedWatchOf(this[kRecord]);
  }
  get [kControllerErrorFunction]() {
    return (error) => {
      errorWritableIfNeeded(this[kRecord].controller, error);
    };
  }

  [kInspect](depth, options, inspect) {
    const { state } = recordOf(this, WritableStreamRecord, 'WritableStream');
    return inspectAs(this, depth, options, inspect, 'WritableStream', { locked: this.locked, state });
  }
}
finishInterface(WritableStream, ['locked', 'abort', 'close', 'getWriter']);
markTransferable(WritableStream);

// https://streams.spec.whatwg.org/#set-up-writable-stream-default-controller-from-underlying-sink
function setUpFromSink(stream, sink, members, highWaterMark, sizeOf) {
  const { start, write, close, abort } = members;
  let object;
  setUpWritableController(
    stream,
    (controller) => {
      object = new WritableStreamDefaultController(kInternal, controller);
      return start === undefined ? undefined : Reflect.apply(start, sink, [object]);
    },
    write === undefined ? kNoAlgorithm : (chunk) => promiseCall(write, sink, chunk, object),
    close === undefined ? kNoAlgorithm : () => promiseCall(close, sink),
    abort === undefined ? kNoAlgorithm : (reason) => promiseCall(abort, sink, reason),
    highWaterMark,
    sizeOf,
  );
}

const kWriter = 'WritableStreamDefaultWriter';

function detachedError() {
  return new ERR_INVALID_STATE.TypeError('Writer is not bound to a WritableStream');
}

class WritableStreamDefaultWriter {
  constructor(stream) {
    if (!hasRecord(stream, WritableStreamRecord)) throw new ERR_INVALID_ARG_TYPE('stream', 'WritableStream', stream);
    this[kRecord] = new WriterRecord();
    this[kRecord].object = this;
    setUpWriter(this[kRecord], stream[kRecord]);
  }

  get closed() {
    if (!hasRecord(this, WriterRecord)) return rejected(new ERR_INVALID_THIS(kWriter));
    return this[kRecord].closed.promise;
  }

  get desiredSize() {
    const record = recordOf(this, WriterRecord, kWriter);
    if (record.stream === null) throw detachedError();
    return writerDesiredSize(record);
  }

  get ready() {
    if (!hasRecord(this, WriterRecord)) return rejected(new ERR_INVALID_THIS(kWriter));
    return this[kRecord].ready.promise;
  }

  abort(reason = undefined) {
    if (!hasRecord(this, WriterRecord)) return rejected(new ERR_INVALID_THIS(kWriter));
    const { stream } = this[kRecord];
    return stream === null ? rejected(detachedError()) : writableStreamAbort(stream, reason);
  }

  close() {
    if (!hasRecord(this, WriterRecord)) return rejected(new ERR_INVALID_THIS(kWriter));
    const { stream } = this[kRecord];
    if (stream === null) return rejected(detachedError());
    if (isCloseQueuedOrInFlight(stream)) {
      return rejected(new ERR_INVALID_STATE.TypeError('Failure to close WritableStream'));
    }
    return writableStreamClose(stream);
  }

  releaseLock() {
    const record = recordOf(this, WriterRecord, kWriter);
    if (record.stream !== null) releaseWriter(record);
  }

  write(chunk = undefined) {
    if (!hasRecord(this, WriterRecord)) return rejected(new ERR_INVALID_THIS(kWriter));
    const record = this[kRecord];
    if (record.stream === null) return rejected(detachedError());
    const request = Promise.withResolvers();
    const refusal = writerWrite(record, chunk, request);
    return refusal === null ? request.promise : rejected(refusal.error);
  }

  [kInspect](depth, options, inspect) {
    const { stream, ready, closed } = recordOf(this, WriterRecord, kWriter);
    return inspectAs(this, depth, options, inspect, kWriter, {
      stream: stream?.object,
      close: closed.promise,
      ready: ready.promise,
      desiredSize: stream === null ? undefined : this.desiredSize,
    });
  }
}
finishInterface(WritableStreamDefaultWriter, ['closed', 'desiredSize', 'ready', 'abort', 'close', 'releaseLock', 'write']);

class WritableStreamDefaultController {
  constructor(key = undefined, record = undefined) {
    if (key !== kInternal) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this[kRecord] = record;
    record.object = this;
  }

  get signal() {
    return signalOf(recordOf(this, WritableControllerRecord, 'WritableStreamDefaultController'));
  }

  error(error = undefined) {
    const record = recordOf(this, WritableControllerRecord, 'WritableStreamDefaultController');
    if (record.stream.state === 'writable') errorWritable(record, error);
  }

  [kInspect](depth, options, inspect) {
    const { stream } = recordOf(this, WritableControllerRecord, 'WritableStreamDefaultController');
    return inspectAs(this, depth, options, inspect, 'WritableStreamDefaultController', { stream: stream.object });
  }
}
finishInterface(WritableStreamDefaultController, ['signal', 'error']);

// https://streams.spec.whatwg.org/#create-writable-stream, as a record.
function createWritableStream(start, write, close, abort, highWaterMark = 1, sizeOf = undefined) {
  const record = new WritableStreamRecord();
  setUpWritableController(record, start, write, close, abort, highWaterMark, sizeOf);
  return record;
}

function toObject(record) {
  return record.object ?? new WritableStream(kInternal, record);
}

module.exports = {
  WritableStream,
  WritableStreamDefaultWriter,
  WritableStreamDefaultController,
  createWritableStream,
  toObject,
};

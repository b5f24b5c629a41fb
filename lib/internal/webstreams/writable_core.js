// natives: none
// The state of a WritableStream, its writer and its controller, and the algorithms
// on them: one write or close at a time goes to the sink, errors pass through the
// state 'erroring' until what is in flight has settled.
// https://streams.spec.whatwg.org/#ws-abstract-ops
'use strict';

const {
  codes: { ERR_INVALID_STATE },
} = require('internal/errors/coded');
const {
  kUndefinedPromise,
  upon,
  resolvedWith,
  markHandled,
  rejected,
  rejectedAndHandled,
  settled,
  Queue,
  SizedQueue,
} = require('internal/webstreams/shared');

const kNoAlgorithm = () => kUndefinedPromise;

class WritableStreamRecord {
  constructor() {
    this.object = null;
    this.state = 'writable'; // 'writable' | 'erroring' | 'errored' | 'closed'
    this.storedError = undefined;
    this.writer = null;
    this.controller = null;
    this.backpressure = false;
    this.writeRequests = new Queue(); // { resolve, reject }
    this.inFlightWriteRequest = null;
    this.closeRequest = null;
    this.inFlightCloseRequest = null;
    this.pendingAbort = null; // { promise, resolve, reject, reason, wasAlreadyErroring }
    this.closedWatch = null; // for finished(): see closedWatchOf
  }
}

class WriterRecord {
  constructor() {
    this.object = null;
    this.stream = null;
    this.ready = null; // { promise, resolve, reject }
    this.readyPending = false;
    this.closed = null;
    this.closedPending = false;
    this.onRoom = null; // called at once when there is room again: for pipes
  }

  holdReady() {
    this.ready = Promise.withResolvers();
    this.readyPending = true;
  }

  resolveReady() {
    this.readyPending = false;
    this.ready.resolve();
  }

  // A promise already settled is replaced by a rejected one.
  rejectReady(error) {
    if (this.readyPending) this.ready.reject(error);
    else this.ready = settled(rejected(error));
    this.readyPending = false;
    markHandled(this.ready.promise);
  }

  rejectClosed(error) {
    if (this.closedPending) this.closed.reject(error);
    else this.closed = settled(rejected(error));
    this.closedPending = false;
    markHandled(this.closed.promise);
  }
}

class WritableControllerRecord {
  highWaterMark = 0; // defined, not set: Object.prototype may have a setter

  constructor(stream, write, close, abort, highWaterMark, sizeOf) {
    this.object = null;
    this.stream = stream;
    this.queue = new SizedQueue(sizeOf);
    this.closeQueued = false; // the standard's close sentinel
    this.started = false;
    this.write = write;
    this.close = close;
    this.abort = abort;
    this.highWaterMark = highWaterMark;
    this.abortController = null; // made when somebody asks for the signal
    this.abortReason = undefined;
    this.signalled = false;
    this.onWritten = () => {
      onWritten(this);
    };
    this.onWriteFailed = (error) => {
      onWriteFailed(this, error);
    };
  }
}

function isCloseQueuedOrInFlight(stream) {
  return stream.closeRequest !== null || stream.inFlightCloseRequest !== null;
}

function hasOperationInFlight(stream) {
  return stream.inFlightWriteRequest !== null || stream.inFlightCloseRequest !== null;
}

// https://streams.spec.whatwg.org/#writable-stream-abort
function writableStreamAbort(stream, reason) {
  if (stream.state === 'closed' || stream.state === 'errored') return Promise.resolve();
  signalAbort(stream.controller, reason);
  // The signal's listeners may have changed it.
  if (stream.state === 'closed' || stream.state === 'errored') return Promise.resolve();
  if (stream.pendingAbort !== null) return stream.pendingAbort.promise;
  const wasAlreadyErroring = stream.state === 'erroring';
  if (wasAlreadyErroring) reason = undefined;
  const { promise, resolve, reject } = Promise.withResolvers();
  stream.pendingAbort = { promise, resolve, reject, reason, wasAlreadyErroring };
  if (!wasAlreadyErroring) startErroring(stream, reason);
  return promise;
}

function signalAbort(controller, reason) {
  if (controller.signalled) return;
  controller.signalled = true;
  controller.abortReason = reason;
  controller.abortController?.abort(reason);
}

function signalOf(controller) {
  if (controller.abortController === null) {
    const { AbortController } = require('internal/events/abort');
    controller.abortController = new AbortController();
    if (controller.signalled) controller.abortController.abort(controller.abortReason);
  }
  return controller.abortController.signal;
}

// https://streams.spec.whatwg.org/#writable-stream-close
function writableStreamClose(stream) {
  if (stream.state === 'closed' || stream.state === 'errored') {
    return rejected(new ERR_INVALID_STATE.TypeError('WritableStream is closed'));
  }
  stream.closeRequest = Promise.withResolvers();
  const { promise } = stream.closeRequest;
  if (stream.writer !== null && stream.backpressure && stream.state === 'writable') stream.writer.resolveReady();
  stream.controller.closeQueued = true;
  advanceQueueIfNeeded(stream.controller);
  return promise;
}

function dealWithRejection(stream, error) {
  if (stream.state === 'writable') startErroring(stream, error);
  else finishErroring(stream);
}

function startErroring(stream, reason) {
  stream.state = 'erroring';
  stream.storedError = reason;
  if (stream.writer !== null) stream.writer.rejectReady(reason);
  if (!hasOperationInFlight(stream) && stream.controller.started) finishErroring(stream);
}

// https://streams.spec.whatwg.org/#writable-stream-finish-erroring
function finishErroring(stream) {
  stream.state = 'errored';
  stream.controller.queue.reset();
  stream.controller.closeQueued = false;
  const { storedError, writeRequests } = stream;
  stream.writeRequests = new Queue();
  while (writeRequests.length > 0) writeRequests.shift().reject(storedError);
  const abort = stream.pendingAbort;
  if (abort === null) {
    rejectCloseAndClosed(stream);
    return;
  }
  stream.pendingAbort = null;
  if (abort.wasAlreadyErroring) {
    abort.reject(storedError);
    rejectCloseAndClosed(stream);
    return;
  }
  const aborted = stream.controller.abort(abort.reason);
  clearAlgorithms(stream.controller);
  upon(
    aborted,
    () => {
      abort.resolve();
      rejectCloseAndClosed(stream);
    },
    (reason) => {
      abort.reject(reason);
      rejectCloseAndClosed(stream);
    },
  );
}

function rejectCloseAndClosed(stream) {
  if (stream.closeRequest !== null) {
    stream.closeRequest.reject(stream.storedError);
    stream.closeRequest = null;
  }
  stream.closedWatch?.reject(stream.storedError);
  stream.writer?.rejectClosed(stream.storedError);
}

function finishInFlightClose(stream) {
  stream.inFlightCloseRequest.resolve();
  stream.inFlightCloseRequest = null;
  if (stream.state === 'erroring') {
    stream.storedError = undefined;
    if (stream.pendingAbort !== null) {
      stream.pendingAbort.resolve();
      stream.pendingAbort = null;
    }
  }
  stream.state = 'closed';
  stream.closedWatch?.resolve();
  if (stream.writer !== null) {
    stream.writer.closedPending = false;
    stream.writer.closed.resolve();
  }
}

function finishInFlightCloseWithError(stream, error) {
  stream.inFlightCloseRequest.reject(error);
  stream.inFlightCloseRequest = null;
  if (stream.pendingAbort !== null) {
    stream.pendingAbort.reject(error);
    stream.pendingAbort = null;
  }
  dealWithRejection(stream, error);
}

function updateBackpressure(stream, backpressure) {
  const { writer } = stream;
  const isChange = backpressure !== stream.backpressure;
  stream.backpressure = backpressure;
  if (writer === null || !isChange) return;
  if (backpressure) {
    writer.holdReady();
  } else {
    writer.resolveReady();
    if (writer.onRoom !== null) writer.onRoom();
  }
}

function clearAlgorithms(controller) {
  controller.write = kNoAlgorithm;
  controller.close = kNoAlgorithm;
  controller.abort = kNoAlgorithm;
  controller.queue.sizeOf = undefined;
}

function writableDesiredSize(controller) {
  return controller.highWaterMark - controller.queue.total;
}

function errorWritable(controller, error) {
  clearAlgorithms(controller);
  startErroring(controller.stream, error);
}

function errorWritableIfNeeded(controller, error) {
  if (controller.stream.state === 'writable') errorWritable(controller, error);
}

function chunkSizeOf(controller, chunk) {
  try {
    return controller.queue.measure(chunk);
  } catch (error) {
    errorWritableIfNeeded(controller, error);
    return 1;
  }
}

// https://streams.spec.whatwg.org/#writable-stream-default-controller-write
function controllerWrite(controller, chunk, size) {
  const { stream } = controller;
  try {
    controller.queue.push(chunk, size);
  } catch (error) {
    errorWritableIfNeeded(controller, error);
    return;
  }
  if (!isCloseQueuedOrInFlight(stream) && stream.state === 'writable') {
    updateBackpressure(stream, writableDesiredSize(controller) <= 0);
  }
  advanceQueueIfNeeded(controller);
}

function advanceQueueIfNeeded(controller) {
  const { stream } = controller;
  if (!controller.started || stream.inFlightWriteRequest !== null) return;
  if (stream.state === 'erroring') {
    finishErroring(stream);
  } else if (controller.queue.length > 0) {
    // https://streams.spec.whatwg.org/#writable-stream-default-controller-process-write
    stream.inFlightWriteRequest = stream.writeRequests.shift();
    const written = controller.write(controller.queue.values.peek());
    // null: a transform that waits for room calls the two itself.
    if (written !== null) upon(written, controller.onWritten, controller.onWriteFailed);
  } else if (controller.closeQueued) {
    processClose(controller);
  }
}

function onWritten(controller) {
  const { stream } = controller;
  stream.inFlightWriteRequest.resolve();
  stream.inFlightWriteRequest = null;
  controller.queue.shift();
  if (!isCloseQueuedOrInFlight(stream) && stream.state === 'writable') {
    updateBackpressure(stream, writableDesiredSize(controller) <= 0);
  }
  advanceQueueIfNeeded(controller);
}

function onWriteFailed(controller, error) {
  const { stream } = controller;
  if (stream.state === 'writable') clearAlgorithms(controller);
  stream.inFlightWriteRequest.reject(error);
  stream.inFlightWriteRequest = null;
  dealWithRejection(stream, error);
}

function processClose(controller) {
  const { stream } = controller;
  stream.inFlightCloseRequest = stream.closeRequest;
  stream.closeRequest = null;
  controller.closeQueued = false;
  const closed = controller.close();
  clearAlgorithms(controller);
  upon(
    closed,
    () => {
      finishInFlightClose(stream);
    },
    (error) => {
      finishInFlightCloseWithError(stream, error);
    },
  );
}

// https://streams.spec.whatwg.org/#set-up-writable-stream-default-controller
function setUpWritableController(stream, start, write, close, abort, highWaterMark, sizeOf) {
  const controller = new WritableControllerRecord(stream, write, close, abort, highWaterMark, sizeOf);
  stream.controller = controller;
  updateBackpressure(stream, writableDesiredSize(controller) <= 0);
  const started = start === undefined ? undefined : start(controller);
  upon(
    resolvedWith(started),
    () => {
      controller.started = true;
      advanceQueueIfNeeded(controller);
    },
    (error) => {
      controller.started = true;
      dealWithRejection(stream, error);
    },
  );
  return controller;
}

// https://streams.spec.whatwg.org/#set-up-writable-stream-default-writer
function setUpWriter(writer, stream) {
  if (stream.writer !== null) throw new ERR_INVALID_STATE.TypeError('WritableStream is locked');
  writer.stream = stream;
  stream.writer = writer;
  const { state } = stream;
  if (state === 'writable' || state === 'erroring') {
    writer.closed = Promise.withResolvers();
    writer.closedPending = true;
  }
  if (state === 'writable') {
    if (!isCloseQueuedOrInFlight(stream) && stream.backpressure) writer.holdReady();
    else writer.ready = settled(kUndefinedPromise);
  } else if (state === 'erroring') {
    writer.ready = settled(rejectedAndHandled(stream.storedError));
  } else if (state === 'closed') {
    writer.ready = settled(kUndefinedPromise);
    writer.closed = settled(kUndefinedPromise);
  } else {
    writer.ready = settled(rejectedAndHandled(stream.storedError));
    writer.closed = settled(rejectedAndHandled(stream.storedError));
  }
}

function writerDesiredSize({ stream }) {
  if (stream.state === 'errored' || stream.state === 'erroring') return null;
  return stream.state === 'closed' ? 0 : writableDesiredSize(stream.controller);
}

// https://streams.spec.whatwg.org/#writable-stream-default-writer-write
// `request` is told of the outcome. Null, or a Refusal when the chunk is not taken.
function writerWrite(writer, chunk, request) {
  const { stream } = writer;
  const { controller } = stream;
  const size = chunkSizeOf(controller, chunk);
  if (stream !== writer.stream) return new Refusal(new ERR_INVALID_STATE.TypeError('Mismatched WritableStreams'));
  if (stream.state === 'errored') return new Refusal(stream.storedError);
  if (stream.state === 'closed' || isCloseQueuedOrInFlight(stream)) {
    return new Refusal(new ERR_INVALID_STATE.TypeError('WritableStream is closed'));
  }
  if (stream.state === 'erroring') return new Refusal(stream.storedError);
  stream.writeRequests.push(request);
  controllerWrite(controller, chunk, size);
  return null;
}

// An error may be any value, null included.
class Refusal {
  constructor(error) {
    this.error = error;
  }
}

// https://streams.spec.whatwg.org/#writable-stream-default-writer-release
function releaseWriter(writer) {
  const error = new ERR_INVALID_STATE.TypeError('Writer has been released');
  writer.rejectReady(error);
  writer.rejectClosed(error);
  writer.stream.writer = null;
  writer.stream = null;
}

module.exports = {
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
};

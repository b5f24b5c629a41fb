// natives: none
// ReadableStreamDefaultController: a queue of chunks of any kind.
// https://streams.spec.whatwg.org/#rs-default-controller-class
'use strict';

const {
  codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_STATE },
} = require('internal/errors/coded');
const {
  kRecord,
  kInternal,
  kInspect,
  recordOf,
  promiseCall,
  SizedQueue,
  inspectAs,
  finishInterface,
} = require('internal/webstreams/shared');
const { PullingRecord, kNoAlgorithm } = require('internal/webstreams/pulling');
const { pendingReads, fulfillRead, readableStreamClose, readableStreamError } = require('internal/webstreams/readable_core');

class DefaultControllerRecord extends PullingRecord {
  constructor(stream, pull, cancel, highWaterMark, sizeOf) {
    super(stream, pull, cancel, highWaterMark);
    this.queue = new SizedQueue(sizeOf);
  }

  // https://streams.spec.whatwg.org/#readable-stream-default-controller-should-call-pull
  shouldCallPull() {
    if (!canCloseOrEnqueue(this) || !this.started) return false;
    return pendingReads(this.stream, false) > 0 || this.highWaterMark - this.queue.total > 0;
  }

  fail(error) {
    errorController(this, error);
  }

  clearAlgorithms() {
    super.clearAlgorithms();
    this.queue.sizeOf = undefined;
  }

  // https://streams.spec.whatwg.org/#rs-default-controller-private-cancel
  cancelSteps(reason) {
    this.queue.reset();
    const result = this.cancel(reason);
    this.clearAlgorithms();
    return result;
  }

  // https://streams.spec.whatwg.org/#rs-default-controller-private-pull
  pullSteps(request) {
    if (this.queue.length > 0) {
      request.chunkSteps(this.takeChunk());
    } else {
      this.stream.reader.requests.push(request);
      this.callPullIfNeeded();
    }
  }

  // The queue is not empty.
  takeChunk() {
    const chunk = this.takeWithoutPull();
    this.callPullIfNeeded();
    return chunk;
  }

  takeWithoutPull() {
    const chunk = this.queue.shift();
    if (this.closeRequested && this.queue.length === 0) {
      this.clearAlgorithms();
      readableStreamClose(this.stream);
    }
    return chunk;
  }

  releaseSteps() {}
}

function canCloseOrEnqueue(controller) {
  return !controller.closeRequested && controller.stream.state === 'readable';
}

function desiredSizeOf(controller) {
  const { state } = controller.stream;
  if (state === 'errored') return null;
  return state === 'closed' ? 0 : controller.highWaterMark - controller.queue.total;
}

// https://streams.spec.whatwg.org/#readable-stream-default-controller-close
function closeController(controller) {
  if (!canCloseOrEnqueue(controller)) return;
  controller.closeRequested = true;
  if (controller.queue.length > 0) return;
  controller.clearAlgorithms();
  readableStreamClose(controller.stream);
}

// https://streams.spec.whatwg.org/#readable-stream-default-controller-enqueue
function enqueueChunk(controller, chunk) {
  if (!canCloseOrEnqueue(controller)) return;
  if (pendingReads(controller.stream, false) > 0) {
    fulfillRead(controller.stream, chunk, false);
  } else {
    try {
      controller.queue.push(chunk, controller.queue.measure(chunk));
    } catch (error) {
      errorController(controller, error);
      throw error;
    }
  }
  controller.callPullIfNeeded();
}

function errorController(controller, error) {
  if (controller.stream.state !== 'readable') return;
  controller.queue.reset();
  controller.clearAlgorithms();
  readableStreamError(controller.stream, error);
}

// https://streams.spec.whatwg.org/#set-up-readable-stream-default-controller
// `start` runs at once and may throw; `pull` and `cancel` give promises.
function setUpDefaultController(stream, start, pull, cancel, highWaterMark, sizeOf) {
  const controller = new DefaultControllerRecord(stream, pull, cancel, highWaterMark, sizeOf);
  stream.controller = controller;
  controller.startAfter(start === undefined ? undefined : start(controller));
  return controller;
}

// https://streams.spec.whatwg.org/#set-up-readable-stream-default-controller-from-underlying-source
function setUpFromSource(stream, source, members, highWaterMark, sizeOf) {
  const { start, pull, cancel } = members;
  let object;
  const startAlgorithm = (controller) => {
    object = new ReadableStreamDefaultController(kInternal, controller);
    return start === undefined ? undefined : Reflect.apply(start, source, [object]);
  };
  const pullAlgorithm = pull === undefined ? kNoAlgorithm : () => promiseCall(pull, source, object);
  const cancelAlgorithm = cancel === undefined ? kNoAlgorithm : (reason) => promiseCall(cancel, source, reason);
  setUpDefaultController(stream, startAlgorithm, pullAlgorithm, cancelAlgorithm, highWaterMark, sizeOf);
}

class ReadableStreamDefaultController {
  constructor(key = undefined, record = undefined) {
    if (key !== kInternal) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this[kRecord] = record;
    record.object = this;
  }

  get desiredSize() {
    return desiredSizeOf(recordOf(this, DefaultControllerRecord, 'ReadableStreamDefaultController'));
  }

  close() {
    const record = recordOf(this, DefaultControllerRecord, 'ReadableStreamDefaultController');
    if (!canCloseOrEnqueue(record)) throw new ERR_INVALID_STATE.TypeError('Controller is already closed');
    closeController(record);
  }

  enqueue(chunk = undefined) {
    const record = recordOf(this, DefaultControllerRecord, 'ReadableStreamDefaultController');
    if (!canCloseOrEnqueue(record)) throw new ERR_INVALID_STATE.TypeError('Controller is already closed');
    enqueueChunk(record, chunk);
  }

  error(error = undefined) {
    errorController(recordOf(this, DefaultControllerRecord, 'ReadableStreamDefaultController'), error);
  }

  [kInspect](depth, options, inspect) {
    return inspectAs(this, depth, options, inspect, 'ReadableStreamDefaultController', {});
  }
}
finishInterface(ReadableStreamDefaultController, ['desiredSize', 'close', 'enqueue', 'error']);

module.exports = {
  ReadableStreamDefaultController,
  DefaultControllerRecord,
  setUpDefaultController,
  setUpFromSource,
  desiredSizeOf,
  canCloseOrEnqueue,
  closeController,
  enqueueChunk,
  errorController,
  kNoAlgorithm,
};

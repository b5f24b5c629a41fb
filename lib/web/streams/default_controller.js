// natives: none
// ReadableStreamDefaultController: a queue of chunks of any kind.
// https://streams.spec.whatwg.org/#rs-default-controller-class
'use strict';

const { codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_STATE } } = require('internal/errors');
const {
  kRecord, kInternal, kInspect, kUndefinedPromise, upon, recordOf, resolvedWith, promiseCall, SizedQueue,
  inspectAs, finishInterface,
} = require('web/streams/shared');
const {
  pendingReads, fulfillRead, readableStreamClose, readableStreamError,
} = require('web/streams/readable_core');

const kNoAlgorithm = () => kUndefinedPromise;

class DefaultControllerRecord {
  highWaterMark = 0;   // defined, not set: Object.prototype may have a setter

  constructor(stream, pull, cancel, highWaterMark, sizeOf) {
    this.object = null;
    this.stream = stream;
    this.queue = new SizedQueue(sizeOf);
    this.started = false;
    this.closeRequested = false;
    this.pulling = false;
    this.pullAgain = false;
    this.pull = pull;
    this.cancel = cancel;
    this.highWaterMark = highWaterMark;
    this.onPulled = () => { onPulled(this); };
    this.onPullFailed = (error) => { errorController(this, error); };
  }

  // https://streams.spec.whatwg.org/#rs-default-controller-private-cancel
  cancelSteps(reason) {
    this.queue.reset();
    const result = this.cancel(reason);
    clearAlgorithms(this);
    return result;
  }

  // https://streams.spec.whatwg.org/#rs-default-controller-private-pull
  pullSteps(request) {
    if (this.queue.length > 0) {
      request.chunkSteps(this.takeChunk());
    } else {
      this.stream.reader.requests.push(request);
      callPullIfNeeded(this);
    }
  }

  // The queue is not empty.
  takeChunk() {
    const chunk = this.queue.shift();
    if (this.closeRequested && this.queue.length === 0) {
      clearAlgorithms(this);
      readableStreamClose(this.stream);
    } else {
      callPullIfNeeded(this);
    }
    return chunk;
  }

  releaseSteps() {}
}

function clearAlgorithms(controller) {
  controller.pull = kNoAlgorithm;
  controller.cancel = kNoAlgorithm;
  controller.queue.sizeOf = undefined;
}

function canCloseOrEnqueue(controller) {
  return !controller.closeRequested && controller.stream.state === 'readable';
}

function desiredSizeOf(controller) {
  const { state } = controller.stream;
  if (state === 'errored') return null;
  return state === 'closed' ? 0 : controller.highWaterMark - controller.queue.total;
}

// https://streams.spec.whatwg.org/#readable-stream-default-controller-should-call-pull
function shouldCallPull(controller) {
  if (!canCloseOrEnqueue(controller) || !controller.started) return false;
  return pendingReads(controller.stream, false) > 0 || controller.highWaterMark - controller.queue.total > 0;
}

function callPullIfNeeded(controller) {
  if (!shouldCallPull(controller)) return;
  if (controller.pulling) {
    controller.pullAgain = true;
    return;
  }
  controller.pulling = true;
  upon(controller.pull(), controller.onPulled, controller.onPullFailed);
}

function onPulled(controller) {
  controller.pulling = false;
  if (!controller.pullAgain) return;
  controller.pullAgain = false;
  callPullIfNeeded(controller);
}

// https://streams.spec.whatwg.org/#readable-stream-default-controller-close
function closeController(controller) {
  if (!canCloseOrEnqueue(controller)) return;
  controller.closeRequested = true;
  if (controller.queue.length > 0) return;
  clearAlgorithms(controller);
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
  callPullIfNeeded(controller);
}

function errorController(controller, error) {
  if (controller.stream.state !== 'readable') return;
  controller.queue.reset();
  clearAlgorithms(controller);
  readableStreamError(controller.stream, error);
}

// https://streams.spec.whatwg.org/#set-up-readable-stream-default-controller
// `start` runs at once and may throw; `pull` and `cancel` give promises.
function setUpDefaultController(stream, start, pull, cancel, highWaterMark, sizeOf) {
  const controller = new DefaultControllerRecord(stream, pull, cancel, highWaterMark, sizeOf);
  stream.controller = controller;
  const started = start === undefined ? undefined : start(controller);
  upon(resolvedWith(started), () => {
    controller.started = true;
    callPullIfNeeded(controller);
  }, controller.onPullFailed);
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
  ReadableStreamDefaultController, DefaultControllerRecord, setUpDefaultController, setUpFromSource,
  desiredSizeOf, canCloseOrEnqueue, closeController, enqueueChunk, errorController, callPullIfNeeded,
  kNoAlgorithm, shouldCallPull,
};

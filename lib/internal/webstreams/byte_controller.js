// natives: none
// The algorithms of readable byte streams: a queue of byte ranges, and the list of
// "pull-into descriptors", buffers that readers brought (or that were allocated for
// them) and that are to be filled. Buffers change hands by transfer, so that only
// one side can see a buffer at a time. The public classes are in byte_classes.js.
// https://streams.spec.whatwg.org/#rbs-controller-abstract-ops
'use strict';

const {
  codes: { ERR_INVALID_STATE, ERR_INVALID_ARG_VALUE },
} = require('internal/errors/coded');
const { bytesOf, isDetached, Queue } = require('internal/webstreams/shared');
const { PullingRecord, kNoAlgorithm } = require('internal/webstreams/pulling');
const {
  pendingReads,
  hasDefaultReader,
  hasByobReader,
  fulfillRead,
  readableStreamClose,
  readableStreamError,
} = require('internal/webstreams/readable_core');

const transfer = (buffer) => buffer.transfer();

class ByteControllerRecord extends PullingRecord {
  constructor(stream, pull, cancel, highWaterMark, autoAllocateChunkSize) {
    super(stream, pull, cancel, highWaterMark);
    this.queue = new Queue(); // { buffer, byteOffset, byteLength }
    this.queueTotalSize = 0;
    this.autoAllocateChunkSize = autoAllocateChunkSize;
    this.pendingPullIntos = [];
    this.byobRequest = null;
  }

  // https://streams.spec.whatwg.org/#readable-byte-stream-controller-should-call-pull
  shouldCallPull() {
    const { stream } = this;
    if (stream.state !== 'readable' || this.closeRequested || !this.started) return false;
    return pendingReads(stream, false) > 0 || pendingReads(stream, true) > 0 || byteDesiredSizeOf(this) > 0;
  }

  fail(error) {
    errorByteController(this, error);
  }

  // https://streams.spec.whatwg.org/#rbs-controller-private-cancel
  cancelSteps(reason) {
    clearPendingPullIntos(this);
    resetQueue(this);
    const result = this.cancel(reason);
    this.clearAlgorithms();
    return result;
  }

  // https://streams.spec.whatwg.org/#rbs-controller-private-pull
  pullSteps(request) {
    if (this.queueTotalSize > 0) {
      fillReadRequestFromQueue(this, request);
      return;
    }
    const size = this.autoAllocateChunkSize;
    if (size !== undefined) {
      let buffer;
      try {
        buffer = new ArrayBuffer(size);
      } catch (error) {
        request.errorSteps(error);
        return;
      }
      arrayPush.call(this.pendingPullIntos, new PullInto(buffer, 0, size, 1, 1, Uint8Array, 'default'));
    }
    this.stream.reader.requests.push(request);
    this.callPullIfNeeded();
  }

  // The source may still hold the first buffer's request.
  releaseSteps() {
    if (this.pendingPullIntos.length === 0) return;
    const first = this.pendingPullIntos[0];
    first.readerType = 'none';
    this.pendingPullIntos = [first];
  }
}

class ByobRequestRecord {
  constructor(controller, view) {
    this.object = null;
    this.controller = controller;
    this.view = view;
  }
}

class PullInto {
  constructor(buffer, byteOffset, byteLength, minimumFill, elementSize, ViewConstructor, readerType) {
    this.buffer = buffer;
    this.bufferByteLength = buffer.byteLength;
    this.byteOffset = byteOffset;
    this.byteLength = byteLength;
    this.bytesFilled = 0;
    this.minimumFill = minimumFill;
    this.elementSize = elementSize;
    this.ViewConstructor = ViewConstructor;
    this.readerType = readerType; // 'default' | 'byob' | 'none'
  }
}

function resetQueue(controller) {
  controller.queue = new Queue();
  controller.queueTotalSize = 0;
}

function clearPendingPullIntos(controller) {
  invalidateByobRequest(controller);
  controller.pendingPullIntos = [];
}

function invalidateByobRequest(controller) {
  if (controller.byobRequest === null) return;
  controller.byobRequest.controller = null;
  controller.byobRequest.view = null;
  controller.byobRequest = null;
}

function byteDesiredSizeOf(controller) {
  const { state } = controller.stream;
  if (state === 'errored') return null;
  return state === 'closed' ? 0 : controller.highWaterMark - controller.queueTotalSize;
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-close
function closeByteController(controller) {
  const { stream } = controller;
  if (controller.closeRequested || stream.state !== 'readable') return;
  if (controller.queueTotalSize > 0) {
    controller.closeRequested = true;
    return;
  }
  const first = controller.pendingPullIntos[0];
  if (first !== undefined && first.bytesFilled % first.elementSize !== 0) {
    const error = new ERR_INVALID_STATE.TypeError('Partial read');
    errorByteController(controller, error);
    throw error;
  }
  controller.clearAlgorithms();
  readableStreamClose(stream);
}

function errorByteController(controller, error) {
  if (controller.stream.state !== 'readable') return;
  clearPendingPullIntos(controller);
  resetQueue(controller);
  controller.clearAlgorithms();
  readableStreamError(controller.stream, error);
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-enqueue
function enqueueBytes(controller, chunk) {
  const { stream } = controller;
  if (controller.closeRequested || stream.state !== 'readable') return;
  const { buffer, byteOffset, byteLength } = chunk;
  if (isDetached(buffer)) throw new ERR_INVALID_STATE.TypeError('Chunk buffer is detached');
  const transferred = transfer(buffer);
  const first = controller.pendingPullIntos[0];
  if (first !== undefined) {
    if (isDetached(first.buffer)) throw new ERR_INVALID_STATE.TypeError('Destination ArrayBuffer is detached');
    invalidateByobRequest(controller);
    first.buffer = transfer(first.buffer);
    if (first.readerType === 'none') enqueueDetachedPullInto(controller, first);
  }
  if (hasDefaultReader(stream)) {
    processReadRequestsUsingQueue(controller);
    if (pendingReads(stream, false) === 0) {
      enqueueRange(controller, transferred, byteOffset, byteLength);
    } else {
      if (controller.pendingPullIntos.length > 0) arrayShift.call(controller.pendingPullIntos);
      fulfillRead(stream, new Uint8Array(transferred, byteOffset, byteLength), false);
    }
  } else {
    enqueueRange(controller, transferred, byteOffset, byteLength);
    if (hasByobReader(stream)) commitAll(stream, processPullIntosUsingQueue(controller));
  }
  controller.callPullIfNeeded();
}

function enqueueRange(controller, buffer, byteOffset, byteLength) {
  controller.queue.push({ buffer, byteOffset, byteLength });
  controller.queueTotalSize += byteLength;
}

function enqueueClonedRange(controller, buffer, byteOffset, byteLength) {
  let clone;
  try {
    clone = buffer.slice(byteOffset, byteOffset + byteLength);
  } catch (error) {
    errorByteController(controller, error);
    throw error;
  }
  enqueueRange(controller, clone, 0, byteLength);
}

function enqueueDetachedPullInto(controller, pullInto) {
  if (pullInto.bytesFilled > 0) {
    enqueueClonedRange(controller, pullInto.buffer, pullInto.byteOffset, pullInto.bytesFilled);
  }
  arrayShift.call(controller.pendingPullIntos);
}

function processReadRequestsUsingQueue(controller) {
  const { requests } = controller.stream.reader;
  while (requests.length > 0 && controller.queueTotalSize > 0) {
    fillReadRequestFromQueue(controller, requests.shift());
  }
}

function fillReadRequestFromQueue(controller, request) {
  const { buffer, byteOffset, byteLength } = controller.queue.shift();
  controller.queueTotalSize -= byteLength;
  handleQueueDrain(controller);
  request.chunkSteps(new Uint8Array(buffer, byteOffset, byteLength));
}

function handleQueueDrain(controller) {
  if (controller.queueTotalSize === 0 && controller.closeRequested) {
    controller.clearAlgorithms();
    readableStreamClose(controller.stream);
  } else {
    controller.callPullIfNeeded();
  }
}

function processPullIntosUsingQueue(controller) {
  const filled = [];
  while (controller.pendingPullIntos.length > 0 && controller.queueTotalSize > 0) {
    const pullInto = controller.pendingPullIntos[0];
    if (fillPullIntoFromQueue(controller, pullInto)) {
      arrayShift.call(controller.pendingPullIntos);
      arrayPush.call(filled, pullInto);
    }
  }
  return filled;
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-fill-pull-into-descriptor-from-queue
// True when enough whole elements are in it to hand it over.
function fillPullIntoFromQueue(controller, pullInto) {
  const possible = Math.min(controller.queueTotalSize, pullInto.byteLength - pullInto.bytesFilled);
  const filledThen = pullInto.bytesFilled + possible;
  const aligned = filledThen - (filledThen % pullInto.elementSize);
  const ready = aligned >= pullInto.minimumFill;
  let remaining = ready ? aligned - pullInto.bytesFilled : possible;
  while (remaining > 0) {
    const head = controller.queue.peek();
    const count = Math.min(remaining, head.byteLength);
    const target = new Uint8Array(pullInto.buffer, pullInto.byteOffset + pullInto.bytesFilled, count);
    bytesSet.call(target, new Uint8Array(head.buffer, head.byteOffset, count));
    if (head.byteLength === count) {
      controller.queue.shift();
    } else {
      head.byteOffset += count;
      head.byteLength -= count;
    }
    controller.queueTotalSize -= count;
    pullInto.bytesFilled += count;
    remaining -= count;
  }
  return ready;
}

function commitAll(stream, pullIntos) {
  for (const pullInto of each(pullIntos)) commitPullInto(stream, pullInto);
}

function commitPullInto(stream, pullInto) {
  fulfillRead(stream, filledViewOf(pullInto), stream.state === 'closed');
}

function filledViewOf({ buffer, byteOffset, bytesFilled, elementSize, ViewConstructor }) {
  return new ViewConstructor(transfer(buffer), byteOffset, bytesFilled / elementSize);
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-pull-into
function pullInto(controller, view, min, request) {
  const { stream } = controller;
  const elementSize = view instanceof DataView ? 1 : view.BYTES_PER_ELEMENT;
  const ViewConstructor = view instanceof DataView ? DataView : typedArrayConstructorOf(view);
  const { byteOffset, byteLength } = view;
  let buffer;
  try {
    buffer = transfer(view.buffer);
  } catch (error) {
    request.errorSteps(error);
    return;
  }
  const descriptor = new PullInto(buffer, byteOffset, byteLength, min * elementSize, elementSize, ViewConstructor, 'byob');
  if (controller.pendingPullIntos.length > 0) {
    arrayPush.call(controller.pendingPullIntos, descriptor);
    stream.reader.requests.push(request);
    return;
  }
  if (stream.state === 'closed') {
    request.closeSteps(new ViewConstructor(buffer, byteOffset, 0));
    return;
  }
  if (controller.queueTotalSize > 0) {
    if (fillPullIntoFromQueue(controller, descriptor)) {
      const filled = filledViewOf(descriptor);
      handleQueueDrain(controller);
      request.chunkSteps(filled);
      return;
    }
    if (controller.closeRequested) {
      const error = new ERR_INVALID_STATE.TypeError('ReadableStream closed');
      errorByteController(controller, error);
      request.errorSteps(error);
      return;
    }
  }
  arrayPush.call(controller.pendingPullIntos, descriptor);
  stream.reader.requests.push(request);
  controller.callPullIfNeeded();
}

// By the internal slot: a subclass (Buffer) counts as its typed array.
const typedArrayTag = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
function typedArrayConstructorOf(view) {
  return program[call0(typedArrayTag, view)];
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-respond
function respond(controller, bytesWritten) {
  const first = controller.pendingPullIntos[0];
  if (controller.stream.state === 'closed') {
    if (bytesWritten !== 0) throw new ERR_INVALID_ARG_VALUE('bytesWritten', bytesWritten);
  } else {
    if (bytesWritten === 0) throw new ERR_INVALID_ARG_VALUE('bytesWritten', bytesWritten);
    if (first.bytesFilled + bytesWritten > first.byteLength) {
      throw new ERR_INVALID_ARG_VALUE.RangeError('bytesWritten', bytesWritten);
    }
  }
  first.buffer = transfer(first.buffer);
  respondInternal(controller, bytesWritten);
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-respond-with-new-view
function respondWithNewView(controller, view) {
  const first = controller.pendingPullIntos[0];
  const { buffer, byteOffset, byteLength } = view;
  if (controller.stream.state === 'closed') {
    if (byteLength !== 0) throw new ERR_INVALID_STATE.TypeError('View is not zero-length');
  } else if (byteLength === 0) {
    throw new ERR_INVALID_STATE.TypeError('View is zero-length');
  }
  if (
    first.byteOffset + first.bytesFilled !== byteOffset ||
    first.bufferByteLength !== buffer.byteLength ||
    first.bytesFilled + byteLength > first.byteLength
  ) {
    throw new ERR_INVALID_ARG_VALUE.RangeError('view', view);
  }
  first.buffer = transfer(buffer);
  respondInternal(controller, byteLength);
}

function respondInternal(controller, bytesWritten) {
  const first = controller.pendingPullIntos[0];
  invalidateByobRequest(controller);
  if (controller.stream.state === 'closed') respondInClosedState(controller, first);
  else respondInReadableState(controller, bytesWritten, first);
  controller.callPullIfNeeded();
}

function respondInClosedState(controller, first) {
  const { stream } = controller;
  if (first.readerType === 'none') arrayShift.call(controller.pendingPullIntos);
  if (!hasByobReader(stream)) return;
  const filled = [];
  while (filled.length < pendingReads(stream, true)) arrayPush.call(filled, arrayShift.call(controller.pendingPullIntos));
  commitAll(stream, filled);
}

function respondInReadableState(controller, bytesWritten, descriptor) {
  const { stream } = controller;
  descriptor.bytesFilled += bytesWritten;
  if (descriptor.readerType === 'none') {
    enqueueDetachedPullInto(controller, descriptor);
    commitAll(stream, processPullIntosUsingQueue(controller));
    return;
  }
  if (descriptor.bytesFilled < descriptor.minimumFill) return;
  arrayShift.call(controller.pendingPullIntos);
  // Half an element stays in the queue for the next read.
  const rest = descriptor.bytesFilled % descriptor.elementSize;
  if (rest > 0) {
    const end = descriptor.byteOffset + descriptor.bytesFilled;
    enqueueClonedRange(controller, descriptor.buffer, end - rest, rest);
  }
  descriptor.bytesFilled -= rest;
  const filled = processPullIntosUsingQueue(controller);
  commitPullInto(stream, descriptor);
  commitAll(stream, filled);
}

// The first descriptor's unfilled part, offered to the source; null when there is none.
function byobRequestOf(controller) {
  if (controller.byobRequest === null && controller.pendingPullIntos.length > 0) {
    const first = controller.pendingPullIntos[0];
    const view = bytesOf(new Uint8Array(first.buffer, first.byteOffset + first.bytesFilled, first.byteLength - first.bytesFilled));
    controller.byobRequest = new ByobRequestRecord(controller, view);
  }
  return controller.byobRequest;
}

// https://streams.spec.whatwg.org/#set-up-readable-byte-stream-controller
function setUpByteController(stream, start, pull, cancel, highWaterMark, autoAllocateChunkSize) {
  const controller = new ByteControllerRecord(stream, pull, cancel, highWaterMark, autoAllocateChunkSize);
  stream.controller = controller;
  controller.startAfter(start === undefined ? undefined : start(controller));
  return controller;
}

module.exports = {
  ByteControllerRecord,
  ByobRequestRecord,
  kNoAlgorithm,
  setUpByteController,
  byteDesiredSizeOf,
  closeByteController,
  errorByteController,
  enqueueBytes,
  pullInto,
  respond,
  respondWithNewView,
  byobRequestOf,
};

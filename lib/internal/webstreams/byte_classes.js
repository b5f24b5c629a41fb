// natives: none
// ReadableByteStreamController and ReadableStreamBYOBRequest: the public faces of
// byte_controller.js.
// https://streams.spec.whatwg.org/#rbs-controller-class
'use strict';

const {
  codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_TYPE, ERR_INVALID_STATE },
} = require('internal/errors/coded');
const {
  kRecord,
  kInternal,
  kInspect,
  recordOf,
  promiseCall,
  isDetached,
  inspectAs,
  finishInterface,
} = require('internal/webstreams/shared');
const {
  ByteControllerRecord,
  ByobRequestRecord,
  kNoAlgorithm,
  setUpByteController,
  byteDesiredSizeOf,
  closeByteController,
  errorByteController,
  enqueueBytes,
  respond,
  respondWithNewView,
  byobRequestOf,
} = require('internal/webstreams/byte_controller');

// [EnforceRange] unsigned long long
function toLength(value, name) {
  const number = Math.trunc(+value);
  if (!(number >= 0 && number <= Number.MAX_SAFE_INTEGER)) {
    throw new ERR_INVALID_ARG_TYPE(name, 'unsigned integer', value);
  }
  return number;
}

function checkView(view) {
  if (!ArrayBuffer.isView(view)) {
    throw new ERR_INVALID_ARG_TYPE('view', ['Buffer', 'TypedArray', 'DataView'], view);
  }
  if (view.buffer instanceof SharedArrayBuffer) {
    throw new ERR_INVALID_ARG_TYPE('view', ['Buffer', 'TypedArray', 'DataView'], view);
  }
}

class ReadableStreamBYOBRequest {
  constructor(key = undefined, record = undefined) {
    if (key !== kInternal) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this[kRecord] = record;
    record.object = this;
  }

  get view() {
    return recordOf(this, ByobRequestRecord, 'ReadableStreamBYOBRequest').view;
  }

  respond(bytesWritten) {
    const record = recordOf(this, ByobRequestRecord, 'ReadableStreamBYOBRequest');
    if (arguments.length === 0) throw new ERR_INVALID_ARG_TYPE('bytesWritten', 'number', undefined);
    bytesWritten = toLength(bytesWritten, 'bytesWritten');
    if (record.controller === null) throw new ERR_INVALID_STATE.TypeError('This BYOB request has been invalidated');
    if (isDetached(record.view.buffer)) throw new ERR_INVALID_STATE.TypeError('Viewed ArrayBuffer is detached');
    respond(record.controller, bytesWritten);
  }

  respondWithNewView(view) {
    const record = recordOf(this, ByobRequestRecord, 'ReadableStreamBYOBRequest');
    checkView(view);
    if (record.controller === null) throw new ERR_INVALID_STATE.TypeError('This BYOB request has been invalidated');
    if (isDetached(view.buffer)) throw new ERR_INVALID_STATE.TypeError('Viewed ArrayBuffer is detached');
    respondWithNewView(record.controller, view);
  }

  [kInspect](depth, options, inspect) {
    const { view, controller } = recordOf(this, ByobRequestRecord, 'ReadableStreamBYOBRequest');
    return inspectAs(this, depth, options, inspect, 'ReadableStreamBYOBRequest', { view, controller: controller?.object });
  }
}
finishInterface(ReadableStreamBYOBRequest, ['view', 'respond', 'respondWithNewView']);

class ReadableByteStreamController {
  constructor(key = undefined, record = undefined) {
    if (key !== kInternal) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this[kRecord] = record;
    record.object = this;
  }

  get byobRequest() {
    const record = recordOf(this, ByteControllerRecord, 'ReadableByteStreamController');
    const request = byobRequestOf(record);
    if (request === null) return null;
    return request.object ?? new ReadableStreamBYOBRequest(kInternal, request);
  }

  get desiredSize() {
    return byteDesiredSizeOf(recordOf(this, ByteControllerRecord, 'ReadableByteStreamController'));
  }

  close() {
    const record = recordOf(this, ByteControllerRecord, 'ReadableByteStreamController');
    checkOpen(record);
    closeByteController(record);
  }

  enqueue(chunk) {
    const record = recordOf(this, ByteControllerRecord, 'ReadableByteStreamController');
    if (!ArrayBuffer.isView(chunk) || chunk.buffer instanceof SharedArrayBuffer) {
      throw new ERR_INVALID_ARG_TYPE('chunk', ['Buffer', 'TypedArray', 'DataView'], chunk);
    }
    if (chunk.byteLength === 0 || chunk.buffer.byteLength === 0) {
      throw new ERR_INVALID_STATE.TypeError('chunk ArrayBuffer is zero-length or detached');
    }
    checkOpen(record);
    enqueueBytes(record, chunk);
  }

  error(error = undefined) {
    errorByteController(recordOf(this, ByteControllerRecord, 'ReadableByteStreamController'), error);
  }

  [kInspect](depth, options, inspect) {
    return inspectAs(this, depth, options, inspect, 'ReadableByteStreamController', {});
  }
}
finishInterface(ReadableByteStreamController, ['byobRequest', 'desiredSize', 'close', 'enqueue', 'error']);

function checkOpen(record) {
  if (record.closeRequested) throw new ERR_INVALID_STATE.TypeError('Controller is already closed');
  if (record.stream.state !== 'readable') throw new ERR_INVALID_STATE.TypeError('ReadableStream is already closed');
}

// https://streams.spec.whatwg.org/#set-up-readable-byte-stream-controller-from-underlying-source
function setUpFromByteSource(stream, source, members, highWaterMark) {
  const { start, pull, cancel, autoAllocateChunkSize } = members;
  let object;
  const startAlgorithm = (controller) => {
    object = new ReadableByteStreamController(kInternal, controller);
    return start === undefined ? undefined : Reflect.apply(start, source, [object]);
  };
  const pullAlgorithm = pull === undefined ? kNoAlgorithm : () => promiseCall(pull, source, object);
  const cancelAlgorithm = cancel === undefined ? kNoAlgorithm : (reason) => promiseCall(cancel, source, reason);
  setUpByteController(stream, startAlgorithm, pullAlgorithm, cancelAlgorithm, highWaterMark, autoAllocateChunkSize);
}

module.exports = { ReadableStreamBYOBRequest, ReadableByteStreamController, setUpFromByteSource, toLength };

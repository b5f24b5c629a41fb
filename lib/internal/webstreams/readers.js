// natives: none
// ReadableStreamDefaultReader and ReadableStreamBYOBReader.
// https://streams.spec.whatwg.org/#default-reader-class
'use strict';

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE, ERR_INVALID_THIS, ERR_OUT_OF_RANGE },
} = require('internal/errors/coded');
const {
  kRecord,
  kInternal,
  kInspect,
  rejected,
  hasRecord,
  recordOf,
  toDictionary,
  isDetached,
  inspectAs,
  finishInterface,
  resultOf,
} = require('internal/webstreams/shared');
const {
  ReadableStreamRecord,
  DefaultReaderRecord,
  ByobReaderRecord,
  ReadRequest,
  setUpReader,
  releaseReader,
  readFromDefaultReader,
  readableStreamCancel,
} = require('internal/webstreams/readable_core');
const { DefaultControllerRecord } = require('internal/webstreams/default_controller');
const { ByteControllerRecord, pullInto } = require('internal/webstreams/byte_controller');

function detachedError() {
  return new ERR_INVALID_STATE.TypeError('The reader is not attached to a stream');
}

function closedOf(reader, Record, name) {
  return hasRecord(reader, Record) ? reader[kRecord].closed.promise : rejected(new ERR_INVALID_THIS(name));
}

function cancelBy(reader, Record, name, reason) {
  if (!hasRecord(reader, Record)) return rejected(new ERR_INVALID_THIS(name));
  const { stream } = reader[kRecord];
  return stream === null ? rejected(detachedError()) : readableStreamCancel(stream, reason);
}

function releaseBy(reader, Record, name) {
  const record = recordOf(reader, Record, name);
  if (record.stream !== null) releaseReader(record);
}

class ReadableStreamDefaultReader {
  constructor(stream, record = undefined) {
    if (stream === kInternal) {
      this[kRecord] = record;
    } else {
      if (!hasRecord(stream, ReadableStreamRecord)) throw new ERR_INVALID_ARG_TYPE('stream', 'ReadableStream', stream);
      this[kRecord] = new DefaultReaderRecord();
      setUpReader(this[kRecord], stream[kRecord]);
    }
    this[kRecord].object = this;
  }

  read() {
    if (!hasRecord(this, DefaultReaderRecord)) return rejected(new ERR_INVALID_THIS('ReadableStreamDefaultReader'));
    const reader = this[kRecord];
    const { stream } = reader;
    if (stream === null) return rejected(detachedError());
    const { controller } = stream;
    // A chunk is there: no request needs to be made for it.
    if (stream.state === 'readable' && controller instanceof DefaultControllerRecord && controller.queue.length > 0) {
      stream.disturbed = true;
      return Promise.resolve(resultOf(controller.takeChunk(), false));
    }
    const request = new ReadRequest();
    readFromDefaultReader(reader, request);
    return request.promise;
  }

  releaseLock() {
    releaseBy(this, DefaultReaderRecord, 'ReadableStreamDefaultReader');
  }

  get closed() {
    return closedOf(this, DefaultReaderRecord, 'ReadableStreamDefaultReader');
  }

  cancel(reason = undefined) {
    return cancelBy(this, DefaultReaderRecord, 'ReadableStreamDefaultReader', reason);
  }

  [kInspect](depth, options, inspect) {
    const { stream, requests, closed } = recordOf(this, DefaultReaderRecord, 'ReadableStreamDefaultReader');
    return inspectAs(this, depth, options, inspect, 'ReadableStreamDefaultReader', {
      stream: stream?.object,
      readRequests: requests.length,
      close: closed.promise,
    });
  }
}
finishInterface(ReadableStreamDefaultReader, ['closed', 'read', 'releaseLock', 'cancel']);

class ReadableStreamBYOBReader {
  constructor(stream) {
    if (!hasRecord(stream, ReadableStreamRecord)) throw new ERR_INVALID_ARG_TYPE('stream', 'ReadableStream', stream);
    const record = stream[kRecord];
    if (record.reader !== null) throw new ERR_INVALID_STATE.TypeError('ReadableStream is locked');
    if (!(record.controller instanceof ByteControllerRecord)) {
      throw new ERR_INVALID_ARG_VALUE('stream', stream, 'must be a byte stream');
    }
    this[kRecord] = new ByobReaderRecord();
    this[kRecord].object = this;
    setUpReader(this[kRecord], record);
  }

  read(view, options = undefined) {
    let min;
    let stream;
    try {
      ({ stream } = recordOf(this, ByobReaderRecord, 'ReadableStreamBYOBReader'));
      min = checkByobRead(view, options);
      if (stream === null) throw detachedError();
    } catch (error) {
      return rejected(error);
    }
    const request = new ReadRequest();
    // https://streams.spec.whatwg.org/#readable-stream-byob-reader-read
    stream.disturbed = true;
    if (stream.state === 'errored') request.errorSteps(stream.storedError);
    else pullInto(stream.controller, view, min, request);
    return request.promise;
  }

  releaseLock() {
    releaseBy(this, ByobReaderRecord, 'ReadableStreamBYOBReader');
  }

  get closed() {
    return closedOf(this, ByobReaderRecord, 'ReadableStreamBYOBReader');
  }

  cancel(reason = undefined) {
    return cancelBy(this, ByobReaderRecord, 'ReadableStreamBYOBReader', reason);
  }

  [kInspect](depth, options, inspect) {
    const { stream, requests, closed } = recordOf(this, ByobReaderRecord, 'ReadableStreamBYOBReader');
    return inspectAs(this, depth, options, inspect, 'ReadableStreamBYOBReader', {
      stream: stream?.object,
      requests: requests.length,
      close: closed.promise,
    });
  }
}
finishInterface(ReadableStreamBYOBReader, ['closed', 'read', 'releaseLock', 'cancel']);

// Gives the least number of elements the read is to return.
function checkByobRead(view, options) {
  if (!ArrayBuffer.isView(view) || view.buffer instanceof SharedArrayBuffer) {
    throw new ERR_INVALID_ARG_TYPE('view', ['Buffer', 'TypedArray', 'DataView'], view);
  }
  const { min = 1 } = toDictionary(options, 'options');
  if (view.byteLength === 0 || view.buffer.byteLength === 0) {
    throw new ERR_INVALID_STATE.TypeError('View or Viewed ArrayBuffer is zero-length or detached');
  }
  if (isDetached(view.buffer)) throw new ERR_INVALID_STATE.TypeError('Viewed ArrayBuffer is detached');
  if (typeof min !== 'number') throw new ERR_INVALID_ARG_TYPE('options.min', 'number', min);
  if (!Number.isInteger(min)) throw new ERR_INVALID_ARG_VALUE('options.min', min, 'must be an integer');
  if (min <= 0) throw new ERR_INVALID_ARG_VALUE('options.min', min, 'must be greater than 0');
  if (view instanceof DataView) {
    if (min > view.byteLength) throw new ERR_OUT_OF_RANGE('options.min', '<= view.byteLength', min);
  } else if (min > view.length) {
    throw new ERR_OUT_OF_RANGE('options.min', '<= view.length', min);
  }
  return min;
}

module.exports = { ReadableStreamDefaultReader, ReadableStreamBYOBReader };

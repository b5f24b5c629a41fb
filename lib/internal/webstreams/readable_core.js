// natives: none
// The state of a ReadableStream and of its readers, and the algorithms that do not
// care what kind of controller feeds it. Controllers (default_controller.js,
// byte_controller.js) provide cancelSteps, pullSteps and releaseSteps.
// https://streams.spec.whatwg.org/#rs-abstract-ops
'use strict';

const {
  codes: { ERR_INVALID_STATE },
} = require('internal/errors/coded');
const {
  kUndefinedPromise,
  nop,
  upon,
  markHandled,
  rejected,
  rejectedAndHandled,
  resultOf,
  settled,
  Queue,
} = require('internal/webstreams/shared');

class ReadableStreamRecord {
  constructor() {
    this.object = null; // the public ReadableStream
    this.state = 'readable'; // 'readable' | 'closed' | 'errored'
    this.storedError = undefined;
    this.disturbed = false;
    this.reader = null;
    this.controller = null;
    this.closedWatch = null; // for finished(): see closedWatchOf
  }
}

// A default reader queues read requests, a BYOB reader read-into requests: objects
// with chunkSteps, closeSteps and errorSteps.
class ReaderRecord {
  constructor(isByob) {
    this.object = null;
    this.isByob = isByob;
    this.stream = null;
    this.requests = new Queue();
    this.closed = null; // { promise, resolve, reject }
  }
}
class DefaultReaderRecord extends ReaderRecord {
  constructor() {
    super(false);
  }
}
class ByobReaderRecord extends ReaderRecord {
  constructor() {
    super(true);
  }
}

// The pending request of reader.read().
class ReadRequest {
  constructor() {
    const { promise, resolve, reject } = Promise.withResolvers();
    this.promise = promise;
    this.resolve = resolve;
    this.reject = reject;
  }

  chunkSteps(value) {
    this.resolve(resultOf(value, false));
  }
  closeSteps(value) {
    this.resolve(resultOf(value, true));
  }
  errorSteps(error) {
    this.reject(error);
  }
}

function isLocked(stream) {
  return stream.reader !== null;
}

// ReadableStreamGetNumReadRequests and …GetNumReadIntoRequests
function pendingReads(stream, isByob) {
  const reader = stream.reader;
  return reader !== null && reader.isByob === isByob ? reader.requests.length : 0;
}

function hasDefaultReader(stream) {
  return stream.reader !== null && !stream.reader.isByob;
}

function hasByobReader(stream) {
  return stream.reader !== null && stream.reader.isByob;
}

// https://streams.spec.whatwg.org/#readable-stream-reader-generic-initialize
function setUpReader(reader, stream) {
  if (isLocked(stream)) throw new ERR_INVALID_STATE.TypeError('ReadableStream is locked');
  reader.stream = stream;
  stream.reader = reader;
  if (stream.state === 'readable') reader.closed = Promise.withResolvers();
  else if (stream.state === 'closed') reader.closed = settled(kUndefinedPromise);
  else reader.closed = settled(rejectedAndHandled(stream.storedError));
}

function acquireDefaultReader(stream) {
  const reader = new DefaultReaderRecord();
  setUpReader(reader, stream);
  return reader;
}

// https://streams.spec.whatwg.org/#readable-stream-reader-generic-release
// followed by the erroring of the requests still waiting.
function releaseReader(reader) {
  const { stream } = reader;
  const error = new ERR_INVALID_STATE.TypeError('Reader released');
  if (stream.state === 'readable') reader.closed.reject(error);
  else reader.closed = settled(rejected(error));
  markHandled(reader.closed.promise);
  stream.controller.releaseSteps();
  stream.reader = null;
  reader.stream = null;
  errorRequests(reader, new ERR_INVALID_STATE.TypeError('Releasing reader'));
}

function takeRequests(reader) {
  const requests = reader.requests;
  reader.requests = new Queue();
  return requests;
}

function errorRequests(reader, error) {
  const requests = takeRequests(reader);
  while (requests.length > 0) requests.shift().errorSteps(error);
}

// https://streams.spec.whatwg.org/#readable-stream-default-reader-read
function readFromDefaultReader(reader, request) {
  const { stream } = reader;
  stream.disturbed = true;
  if (stream.state === 'closed') request.closeSteps(undefined);
  else if (stream.state === 'errored') request.errorSteps(stream.storedError);
  else stream.controller.pullSteps(request);
}

function fulfillRead(stream, chunk, done) {
  const request = stream.reader.requests.shift();
  if (done) request.closeSteps(chunk);
  else request.chunkSteps(chunk);
}

// https://streams.spec.whatwg.org/#readable-stream-cancel
function readableStreamCancel(stream, reason) {
  stream.disturbed = true;
  if (stream.state === 'closed') return Promise.resolve();
  if (stream.state === 'errored') return rejected(stream.storedError);
  readableStreamClose(stream);
  if (hasByobReader(stream)) {
    const requests = takeRequests(stream.reader);
    while (requests.length > 0) requests.shift().closeSteps(undefined);
  }
  return upon(stream.controller.cancelSteps(reason), nop);
}

// https://streams.spec.whatwg.org/#readable-stream-close
function readableStreamClose(stream) {
  stream.state = 'closed';
  stream.closedWatch?.resolve();
  const { reader } = stream;
  if (reader === null) return;
  reader.closed.resolve();
  if (reader.isByob) return;
  const requests = takeRequests(reader);
  while (requests.length > 0) requests.shift().closeSteps(undefined);
}

// https://streams.spec.whatwg.org/#readable-stream-error
function readableStreamError(stream, error) {
  stream.state = 'errored';
  stream.storedError = error;
  stream.closedWatch?.reject(error);
  const { reader } = stream;
  if (reader === null) return;
  reader.closed.reject(error);
  markHandled(reader.closed.promise);
  errorRequests(reader, error);
}

module.exports = {
  ReadableStreamRecord,
  DefaultReaderRecord,
  ByobReaderRecord,
  ReadRequest,
  isLocked,
  pendingReads,
  hasDefaultReader,
  hasByobReader,
  setUpReader,
  acquireDefaultReader,
  releaseReader,
  readFromDefaultReader,
  fulfillRead,
  readableStreamCancel,
  readableStreamClose,
  readableStreamError,
};

// natives: none
// Questions about streams of any make: ours, foreign ones that only look like
// Node streams (duck typing by method names), and WHATWG streams (which answer
// through registered symbols). Pure predicates: nothing here changes a stream.
// A predicate gives null when the question does not apply to what was passed.
'use strict';

const kIsDestroyed = Symbol.for('nodejs.stream.destroyed');
const kIsErrored = Symbol.for('nodejs.stream.errored');
const kIsReadable = Symbol.for('nodejs.stream.readable');
const kIsWritable = Symbol.for('nodejs.stream.writable');
const kIsDisturbed = Symbol.for('nodejs.stream.disturbed');
const kIsClosedPromise = Symbol.for('nodejs.webstream.isClosedPromise');
const kControllerErrorFunction = Symbol.for('nodejs.webstream.controllerErrorFunction');

const has = (object, method) => typeof object[method] === 'function';

function isReadableNodeStream(value, strict = false) {
  if (!value || !has(value, 'pipe') || !has(value, 'on')) return false;
  if (strict && !(has(value, 'pause') && has(value, 'resume'))) return false;
  if (!value._writableState) return true;
  // A plain Writable has pipe() too; a Duplex may have its readable half off.
  return !!value._readableState && value._readableState.readable !== false;
}

function isWritableNodeStream(value) {
  if (!value || !has(value, 'write') || !has(value, 'on')) return false;
  return !value._readableState || value._writableState?.writable !== false;
}

function isDuplexNodeStream(value) {
  return !!(value && value._readableState && has(value, 'pipe') && has(value, 'on') && has(value, 'write'));
}

function isNodeStream(value) {
  return !!value && !!(value._readableState || value._writableState || (has(value, 'on') && (has(value, 'write') || has(value, 'pipe'))));
}

function isReadableStream(value) {
  return !!value && !isNodeStream(value) && has(value, 'pipeThrough') && has(value, 'getReader') && has(value, 'cancel');
}

function isWritableStream(value) {
  return !!value && !isNodeStream(value) && has(value, 'getWriter') && has(value, 'abort');
}

function isTransformStream(value) {
  return !!value && !isNodeStream(value) && typeof value.readable === 'object' && typeof value.writable === 'object';
}

function isWebStream(value) {
  return isReadableStream(value) || isWritableStream(value) || isTransformStream(value);
}

function isIterable(value, isAsync) {
  if (value == null) return false;
  if (isAsync !== false && typeof value[Symbol.asyncIterator] === 'function') return true;
  return isAsync !== true && typeof value[Symbol.iterator] === 'function';
}

function isDestroyed(stream) {
  if (!isNodeStream(stream)) return null;
  const state = stream._writableState || stream._readableState;
  return !!(stream.destroyed || stream[kIsDestroyed] || state?.destroyed);
}

// end() was called.
function isWritableEnded(stream) {
  if (!isWritableNodeStream(stream)) return null;
  if (stream.writableEnded === true) return true;
  const state = stream._writableState;
  if (state?.errored) return false;
  return typeof state?.ended === 'boolean' ? state.ended : null;
}

// 'finish' was emitted; not strict: or is bound to be, nothing being left to write.
function isWritableFinished(stream, strict) {
  if (!isWritableNodeStream(stream)) return null;
  if (stream.writableFinished === true) return true;
  const state = stream._writableState;
  if (state?.errored) return false;
  if (typeof state?.finished !== 'boolean') return null;
  return state.finished || (strict === false && state.ended === true && state.length === 0);
}

// 'end' was emitted; not strict: or is bound to be, nothing being left to read.
function isReadableFinished(stream, strict) {
  if (!isReadableNodeStream(stream)) return null;
  const state = stream._readableState;
  if (state?.errored) return false;
  if (typeof state?.endEmitted !== 'boolean') return null;
  return state.endEmitted || (strict === false && state.ended === true && state.length === 0);
}

function isReadable(stream) {
  if (stream && stream[kIsReadable] != null) return stream[kIsReadable];
  if (typeof stream?.readable !== 'boolean') return null;
  if (isDestroyed(stream)) return false;
  return isReadableNodeStream(stream) && stream.readable && !isReadableFinished(stream);
}

function isWritable(stream) {
  if (stream && stream[kIsWritable] != null) return stream[kIsWritable];
  if (typeof stream?.writable !== 'boolean') return null;
  if (isDestroyed(stream)) return false;
  return isWritableNodeStream(stream) && stream.writable && !isWritableEnded(stream);
}

function isFinished(stream, options) {
  if (!isNodeStream(stream)) return null;
  if (isDestroyed(stream)) return true;
  if (options?.readable !== false && isReadable(stream)) return false;
  return options?.writable === false || !isWritable(stream);
}

function isWritableErrored(stream) {
  if (!isNodeStream(stream)) return null;
  return stream.writableErrored || (stream._writableState?.errored ?? null);
}

function isReadableErrored(stream) {
  if (!isNodeStream(stream)) return null;
  return stream.readableErrored || (stream._readableState?.errored ?? null);
}

function isClosed(stream) {
  if (!isNodeStream(stream)) return null;
  if (typeof stream.closed === 'boolean') return stream.closed;
  const writable = stream._writableState?.closed;
  const readable = stream._readableState?.closed;
  if (typeof writable === 'boolean' || typeof readable === 'boolean') return writable || readable;
  return isOutgoingMessage(stream) ? stream._closed : null;
}

// HTTP messages are streams of an older kind: they are told by their fields.
function isOutgoingMessage(stream) {
  return (
    typeof stream._closed === 'boolean' &&
    typeof stream._defaultKeepAlive === 'boolean' &&
    typeof stream._removedConnection === 'boolean' &&
    typeof stream._removedContLen === 'boolean'
  );
}

function isServerResponse(stream) {
  return typeof stream._sent100 === 'boolean' && isOutgoingMessage(stream);
}

function isServerRequest(stream) {
  return typeof stream._consuming === 'boolean' && typeof stream._dumped === 'boolean' && stream.req?.upgradeOrConnect === undefined;
}

function isClientRequest(stream) {
  return !!stream?.setHeader && typeof stream.abort === 'function';
}

function willEmitClose(stream) {
  if (!isNodeStream(stream)) return null;
  const state = stream._writableState || stream._readableState;
  if (!state) return isServerResponse(stream);
  return !!(state.autoDestroy && state.emitClose && state.closed === false);
}

function isDisturbed(stream) {
  return !!(stream && (stream[kIsDisturbed] ?? (stream.readableDidRead || stream.readableAborted)));
}

function isErrored(stream) {
  if (!stream) return false;
  const readable = stream._readableState;
  const writable = stream._writableState;
  return !!(
    stream[kIsErrored] ??
    stream.readableErrored ??
    stream.writableErrored ??
    readable?.errorEmitted ??
    writable?.errorEmitted ??
    readable?.errored ??
    writable?.errored
  );
}

module.exports = {
  kIsDestroyed,
  kIsErrored,
  kIsReadable,
  kIsWritable,
  kIsDisturbed,
  kIsClosedPromise,
  kControllerErrorFunction,
  isClientRequest,
  isClosed,
  isDestroyed,
  isDisturbed,
  isDuplexNodeStream,
  isErrored,
  isFinished,
  isIterable,
  isNodeStream,
  isReadable,
  isReadableErrored,
  isReadableFinished,
  isReadableNodeStream,
  isReadableStream,
  isServerRequest,
  isTransformStream,
  isWebStream,
  isWritable,
  isWritableEnded,
  isWritableErrored,
  isWritableFinished,
  isWritableNodeStream,
  isWritableStream,
  willEmitClose,
};

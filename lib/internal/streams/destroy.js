// natives: none
// How a stream begins and ends its life: construct() delays everything until the
// stream's _construct has called back; destroy() runs _destroy once and then, a
// tick later, emits 'error' (at most one in a lifetime) and 'close'.
// destroyer() does the same for anything stream-like, HTTP messages included.
'use strict';

const {
  AbortError,
  aggregateTwoErrors,
  codes: { ERR_MULTIPLE_CALLBACK },
} = require('internal/errors/coded');
const { kIsDestroyed, isDestroyed, isFinished, isServerRequest, isClientRequest } = require('internal/streams/utils');
const { kEmitClose, kConstructed, kDestroyed, kErrorEmitted, kClosed, kCloseEmitted } = require('internal/streams/flags');

const kConstruct = Symbol('kConstruct');
const kDestroy = Symbol('kDestroy');

function anySideHas(stream, bit) {
  const r = stream._readableState;
  const w = stream._writableState;
  return (w != null && (w.flags & bit) !== 0) || (r != null && (r.flags & bit) !== 0);
}

function setOnBothSides(stream, bit) {
  if (stream._writableState) stream._writableState.flags |= bit;
  if (stream._readableState) stream._readableState.flags |= bit;
}

// The first error wins on each side.
function rememberError(stream, error) {
  if (!error) return;
  const r = stream._readableState;
  const w = stream._writableState;
  if (w && !w.errored) w.errored = error;
  if (r && !r.errored) r.errored = error;
}

function destroy(error, callback) {
  if (anySideHas(this, kDestroyed)) {
    if (typeof callback === 'function') callback();
    return this;
  }
  // Marked before any user code runs, so that a nested destroy() is harmless.
  rememberError(this, error);
  setOnBothSides(this, kDestroyed);

  const state = this._writableState || this._readableState;
  if ((state.flags & kConstructed) === 0) {
    this.once(kDestroy, function (constructError) {
      runDestroy(this, aggregateTwoErrors(constructError, error), callback);
    });
  } else {
    runDestroy(this, error, callback);
  }
  return this;
}

function runDestroy(stream, error, callback) {
  let called = false;
  function onDestroy(failure) {
    if (called) return;
    called = true;
    rememberError(stream, failure);
    setOnBothSides(stream, kClosed);
    if (typeof callback === 'function') callback(failure);
    if (failure) process.nextTick(emitErrorAndClose, stream, failure);
    else process.nextTick(emitClose, stream);
  }
  try {
    stream._destroy(error || null, onDestroy);
  } catch (thrown) {
    onDestroy(thrown);
  }
}

function emitErrorAndClose(stream, error) {
  emitErrorOnce(stream, error);
  emitClose(stream);
}

function emitClose(stream) {
  setOnBothSides(stream, kCloseEmitted);
  if (anySideHas(stream, kEmitClose)) stream.emit('close');
}

function emitErrorOnce(stream, error) {
  if (anySideHas(stream, kErrorEmitted)) return;
  setOnBothSides(stream, kErrorEmitted);
  stream.emit('error', error);
}

function undestroy() {
  const r = this._readableState;
  const w = this._writableState;
  const reset = { constructed: true, destroyed: false, closed: false, closeEmitted: false, errored: null, errorEmitted: false };
  if (r) {
    const off = r.readable === false;
    Object.assign(r, reset, { reading: false, ended: off, endEmitted: off });
  }
  if (w) {
    const off = w.writable === false;
    Object.assign(w, reset, { finalCalled: false, prefinished: false, ended: off, ending: off, finished: off });
  }
}

// An error of the stream's own making. With autoDestroy it destroys the stream;
// without, it is emitted (now, or a tick later when the caller is still on the
// stack) and the stream lives on. Foreign states have no flags: ask by name.
function errorOrDestroy(stream, error, isSync) {
  const r = stream._readableState;
  const w = stream._writableState;
  if (w?.destroyed || r?.destroyed) return;

  if (r?.autoDestroy || w?.autoDestroy) {
    stream.destroy(error);
  } else if (error) {
    rememberError(stream, error);
    if (isSync) process.nextTick(emitErrorOnce, stream, error);
    else emitErrorOnce(stream, error);
  }
}

// `onConstructed` runs once _construct succeeded. A Duplex registers once for
// both halves. Until then reads and writes are only queued.
function construct(stream, onConstructed) {
  if (typeof stream._construct !== 'function') return;
  if (stream._readableState) stream._readableState.flags &= ~kConstructed;
  if (stream._writableState) stream._writableState.flags &= ~kConstructed;
  stream.once(kConstruct, onConstructed);
  if (stream.listenerCount(kConstruct) === 1) process.nextTick(runConstruct, stream);
}

function runConstruct(stream) {
  let called = false;
  function onConstruct(error) {
    if (called) {
      errorOrDestroy(stream, error ?? new ERR_MULTIPLE_CALLBACK());
      return;
    }
    called = true;
    setOnBothSides(stream, kConstructed);
    if (anySideHas(stream, kDestroyed)) stream.emit(kDestroy, error);
    else if (error) errorOrDestroy(stream, error, true);
    else stream.emit(kConstruct);
  }
  try {
    stream._construct((error) => {
      process.nextTick(onConstruct, error);
    });
  } catch (error) {
    process.nextTick(onConstruct, error);
  }
}

function emitCloseEvent(stream) {
  stream.emit('close');
}

function emitErrorThenClose(stream, error) {
  stream.emit('error', error);
  process.nextTick(emitCloseEvent, stream);
}

function destroyer(stream, error) {
  if (!stream || isDestroyed(stream)) return;
  if (!error && !isFinished(stream)) error = new AbortError();

  if (isServerRequest(stream)) {
    stream.socket = null;
    stream.destroy(error);
  } else if (isClientRequest(stream)) {
    stream.abort();
  } else if (isClientRequest(stream.req)) {
    stream.req.abort();
  } else if (typeof stream.destroy === 'function') {
    stream.destroy(error);
  } else if (typeof stream.close === 'function') {
    stream.close();
  } else if (error) {
    process.nextTick(emitErrorThenClose, stream, error);
  } else {
    process.nextTick(emitCloseEvent, stream);
  }

  if (!stream.destroyed) stream[kIsDestroyed] = true;
}

module.exports = { construct, destroy, destroyer, errorOrDestroy, undestroy };

// natives: none
// The end of a Writable: end(), then, when nothing is left to write, _final,
// 'prefinish', 'finish', and with autoDestroy destroy(). Called by writable.js.
'use strict';

const {
  codes: { ERR_MULTIPLE_CALLBACK, ERR_STREAM_ALREADY_FINISHED, ERR_STREAM_DESTROYED },
} = require('internal/errors/coded');
const { errorOrDestroy } = require('internal/streams/destroy');
const { kAutoDestroy, kConstructed, kDestroyed, kErrored, kErrorEmitted, kCloseEmitted } = require('internal/streams/flags');
const {
  kSync,
  kFinalCalled,
  kEnding,
  kEnded,
  kFinished,
  kWriting,
  kPrefinished,
  kCorked,
  kBuffered,
} = require('internal/streams/writable_state');

// `error`: why end()'s own chunk was refused, or null.
function end(stream, error, callback) {
  const state = stream._writableState;
  if ((state.flags & kCorked) !== 0) {
    state.corked = 1;
    stream.uncork();
  }
  if (error === null) {
    if ((state.flags & (kEnding | kErrored)) === 0) {
      state.flags |= kEnding;
      finishMaybe(stream, state, true);
      state.flags |= kEnded;
    } else if ((state.flags & kFinished) !== 0) {
      error = new ERR_STREAM_ALREADY_FINISHED('end');
    } else if ((state.flags & kDestroyed) !== 0) {
      error = new ERR_STREAM_DESTROYED('end');
    }
  }
  if (typeof callback !== 'function') return;
  if (error !== null) process.nextTick(callback, error);
  else if ((state.flags & kErrored) !== 0) process.nextTick(callback, state.errored);
  else if ((state.flags & kFinished) !== 0) process.nextTick(callback, null);
  else if (state.onfinish === null) state.onfinish = [callback];
  else arrayPush.call(state.onfinish, callback);
}

const kFinishMask = kEnding | kDestroyed | kConstructed | kFinished | kWriting | kErrorEmitted | kCloseEmitted | kErrored | kBuffered;

function isReadyToFinish(state) {
  return (state.flags & kFinishMask) === (kEnding | kConstructed) && state.length === 0;
}

function finishMaybe(stream, state, isSync) {
  if (!isReadyToFinish(state)) return;
  prefinish(stream, state);
  if (state.pendingcb !== 0) return;
  if (isSync) {
    state.pendingcb++;
    process.nextTick(finishTick, stream, state);
  } else if (isReadyToFinish(state)) {
    state.pendingcb++;
    finish(stream, state);
  }
}

function finishTick(stream, state) {
  if (isReadyToFinish(state)) finish(stream, state);
  else state.pendingcb--;
}

function prefinish(stream, state) {
  if ((state.flags & (kPrefinished | kFinalCalled)) !== 0) return;
  if (typeof stream._final !== 'function' || (state.flags & kDestroyed) !== 0) {
    state.flags |= kFinalCalled | kPrefinished;
    stream.emit('prefinish');
    return;
  }
  state.flags |= kFinalCalled | kSync;
  state.pendingcb++;
  try {
    stream._final((error) => {
      onFinal(stream, state, error);
    });
  } catch (error) {
    onFinal(stream, state, error);
  }
  state.flags &= ~kSync;
}

function onFinal(stream, state, error) {
  if ((state.flags & kPrefinished) !== 0) {
    errorOrDestroy(stream, error ?? new ERR_MULTIPLE_CALLBACK());
    return;
  }
  state.pendingcb--;
  if (error) {
    callFinishCallbacks(state, () => error);
    errorOrDestroy(stream, error, (state.flags & kSync) !== 0);
  } else if (isReadyToFinish(state)) {
    state.flags |= kPrefinished;
    stream.emit('prefinish');
    // 'finish' never comes within the _final callback.
    state.pendingcb++;
    process.nextTick(finish, stream, state);
  }
}

function finish(stream, state) {
  state.pendingcb--;
  state.flags |= kFinished;
  callFinishCallbacks(state, null);
  stream.emit('finish');
  if ((state.flags & kAutoDestroy) === 0) return;
  // The readable half of a Duplex must be through as well, or be switched off.
  const r = stream._readableState;
  if (!r || (r.autoDestroy && (r.endEmitted || r.readable === false))) stream.destroy();
}

// `makeError` makes the error only if somebody is there to take it.
function callFinishCallbacks(state, makeError) {
  const callbacks = state.onfinish;
  if (callbacks === null) return;
  state.onfinish = null;
  const error = makeError === null ? null : makeError();
  for (let i = 0; i < callbacks.length; i++) callbacks[i](error);
}

module.exports = { end, finishMaybe, callFinishCallbacks };

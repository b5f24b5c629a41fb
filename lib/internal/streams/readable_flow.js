// natives: none
// The modes of a Readable: flowing (data events), paused, or listened to with
// 'readable'. resume(), pause(), and the listener methods, which change the mode.
// readable.js installs this on the prototype.
'use strict';

const { Stream } = require('internal/streams/legacy');
const { kDestroyed, kErrored } = require('internal/streams/flags');
const {
  kEnded,
  kEndEmitted,
  kReading,
  kNeedReadable,
  kEmittedReadable,
  kReadableListening,
  kDataListening,
  kResumeScheduled,
  kFlowDecided,
  kFlowing,
  kPaused,
  kPauseDecided,
  kTickPending,
} = require('internal/streams/readable_state');

function emitReadableLater(stream, state) {
  const flags = state.flags & ~kNeedReadable;
  // While flowing the tick only flows on, and one of it is enough.
  if ((flags & kEmittedReadable) !== 0 || (flags & (kFlowing | kReadableListening | kTickPending)) === (kFlowing | kTickPending)) {
    state.flags = flags | kEmittedReadable;
    return;
  }
  state.flags = flags | kEmittedReadable | kTickPending;
  process.nextTick(queuedReadableTick, stream, state);
}

function queuedReadableTick(stream, state) {
  state.flags &= ~kTickPending;
  readableTick(stream);
}

function readableTick(stream) {
  const state = stream._readableState;
  if ((state.flags & (kDestroyed | kErrored)) === 0 && (state.length !== 0 || (state.flags & kEnded) !== 0)) {
    stream.emit('readable');
    state.flags &= ~kEmittedReadable;
  }
  // A flowing stream needs no further announcement, nor one with a full queue.
  if ((state.flags & (kFlowing | kEnded)) === 0 && state.length <= state.highWaterMark) {
    state.flags |= kNeedReadable;
  }
  flow(stream);
}

function flow(stream) {
  const state = stream._readableState;
  while ((state.flags & kFlowing) !== 0 && stream.read() !== null);
}

function resume() {
  const state = this._readableState;
  if ((state.flags & kDestroyed) !== 0) return this;
  if ((state.flags & kFlowing) === 0) {
    // With a 'readable' listener the stream does not flow, yet 'resume' is emitted.
    state.flags |= (state.flags & kReadableListening) === 0 ? kFlowDecided | kFlowing : kFlowDecided;
    if ((state.flags & kResumeScheduled) === 0) {
      state.flags |= kResumeScheduled;
      process.nextTick(resumeTick, this, state);
    }
  }
  state.flags = (state.flags | kPauseDecided) & ~kPaused;
  return this;
}

function resumeTick(stream, state) {
  if ((state.flags & kReading) === 0) stream.read(0);
  state.flags &= ~kResumeScheduled;
  stream.emit('resume');
  flow(stream);
  if ((state.flags & (kFlowing | kReading)) === kFlowing) stream.read(0);
}

function pause() {
  const state = this._readableState;
  if ((state.flags & kDestroyed) !== 0) return this;
  if ((state.flags & (kFlowDecided | kFlowing)) !== kFlowDecided) {
    state.flags = (state.flags | kFlowDecided) & ~kFlowing;
    this.emit('pause');
  }
  state.flags |= kPauseDecided | kPaused;
  return this;
}

function isPaused() {
  const flags = this._readableState.flags;
  return (flags & kPaused) !== 0 || (flags & (kFlowDecided | kFlowing)) === kFlowDecided;
}

function setEncoding(encoding) {
  const state = this._readableState;
  const { StringDecoder } = require('internal/buffer/string_decoder');
  const decoder = new StringDecoder(encoding);
  state.decoder = decoder;
  state.encoding = decoder.encoding; // the canonical name; 'utf8' for null

  let text = '';
  for (let i = state.bufferIndex; i < state.buffer.length; i++) text += decoder.write(state.buffer[i]);
  if ((state.flags & kEnded) !== 0) text += decoder.end();
  state.buffer.length = 0;
  state.bufferIndex = 0;
  if (text !== '') arrayPush.call(state.buffer, text);
  state.length = text.length;
  return this;
}

function on(event, listener) {
  const result = call2(Stream.prototype.on, this, event, listener);
  if (event === 'data') {
    const state = this._readableState;
    state.flags |= kDataListening;
    if (this.listenerCount('readable') > 0) state.flags |= kReadableListening;
    if ((state.flags & (kFlowDecided | kFlowing)) !== kFlowDecided) this.resume();
  } else if (event === 'readable') {
    const state = this._readableState;
    if ((state.flags & (kEndEmitted | kReadableListening)) === 0) {
      state.flags |= kReadableListening | kNeedReadable | kFlowDecided;
      state.flags &= ~(kFlowing | kEmittedReadable);
      if (state.length) emitReadableLater(this, state);
      else if ((state.flags & kReading) === 0) process.nextTick(readZeroTick, this);
    }
  }
  return result;
}

function removeListener(event, listener) {
  const result = call2(Stream.prototype.removeListener, this, event, listener);
  if (event === 'readable') {
    // A tick later: once('readable') loops remove and add within one tick.
    process.nextTick(relistenTick, this);
  } else if (event === 'data' && this.listenerCount('data') === 0) {
    this._readableState.flags &= ~kDataListening;
  }
  return result;
}

function removeAllListeners(event) {
  const result = Reflect.apply(Stream.prototype.removeAllListeners, this, arguments);
  if (event === 'readable' || event === undefined) process.nextTick(relistenTick, this);
  return result;
}

function relistenTick(stream) {
  const state = stream._readableState;
  if (stream.listenerCount('readable') > 0) state.flags |= kReadableListening;
  else state.flags &= ~kReadableListening;

  if ((state.flags & (kPauseDecided | kPaused | kResumeScheduled)) === (kPauseDecided | kResumeScheduled)) {
    // resume() was called while 'readable' still had a listener: flow after all.
    state.flags |= kFlowDecided | kFlowing;
  } else if ((state.flags & kDataListening) !== 0) {
    stream.resume();
  } else if ((state.flags & kReadableListening) === 0) {
    state.flags &= ~(kFlowDecided | kFlowing);
  }
}

function readZeroTick(stream) {
  stream.read(0);
}

module.exports = {
  flowMethods: { resume, pause, isPaused, setEncoding, on, removeListener, removeAllListeners },
  emitReadableLater,
  readableTick,
};

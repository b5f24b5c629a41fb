// natives: none
// Readable: push() fills the queue, read() empties it, and the flow (data events)
// is a loop of read() calls. When each event is emitted, now or on a later tick,
// is part of the contract; the ticks are named in the functions ending in "Tick".
// pipe() is in readable_pipe.js, async iteration and wrap() in readable_iterator.js,
// map/filter/… in operators.js.
'use strict';

const EventEmitter = require('internal/events/events');
const { Buffer } = require('internal/buffer/buffer');
const {
  AbortError,
  codes: {
    ERR_INVALID_ARG_TYPE,
    ERR_METHOD_NOT_IMPLEMENTED,
    ERR_OUT_OF_RANGE,
    ERR_STREAM_PUSH_AFTER_EOF,
    ERR_STREAM_UNSHIFT_AFTER_END_EVENT,
  },
} = require('internal/errors/coded');
const { Stream } = require('internal/streams/legacy');
const { construct, destroy, errorOrDestroy, undestroy } = require('internal/streams/destroy');
const { kObjectMode, kConstructed, kDestroyed, kErrored, kErrorEmitted, kCloseEmitted } = require('internal/streams/flags');
const {
  ReadableState,
  sizeToTake,
  sizeOfNext,
  takeFromBuffer,
  kAnySize,
  kEnded,
  kEndEmitted,
  kReading,
  kSync,
  kNeedReadable,
  kEmittedReadable,
  kDataListening,
  kReadingMore,
  kDataEmitted,
  kFlowing,
  kMultiAwaitDrain,
  kGoesOn,
} = require('internal/streams/readable_state');
const { flowMethods, emitReadableLater, readableTick } = require('internal/streams/readable_flow');
const { kCapture } = require('internal/symbols/events');

const plainEmit = EventEmitter.prototype.emit;
const kLargestHighWaterMark = 0x40000000;
const kNoSize = -2;

// Combined here: the engine inlines short functions, and each constant named in one makes it longer.
const kClosedToPush = kEnded | kDestroyed | kErrored;
const kDirect = kFlowing | kDataListening;
const kDirectMask = kDirect | kSync;
const kFillMask = kReadingMore | kReading | kConstructed;
const kReadMask = kReading | kEnded | kDestroyed | kErrored | kConstructed;
const kReadAhead = kReading | kSync;
const kReadOfEmpty = kReadAhead | kNeedReadable;
const kReadOfOpen = kReading | kNeedReadable;
const kOpenFlowMask = kFlowing | kClosedToPush;
const kToldOfEnd = kErrorEmitted | kCloseEmitted;

module.exports = Readable;

function Readable(options) {
  if (!(this instanceof Readable)) return new Readable(options);
  call1(Stream, this, options);
  this._readableState = new ReadableState(options, this, false);
  if (options) {
    if (typeof options.read === 'function') this._read = options.read;
    if (typeof options.destroy === 'function') this._destroy = options.destroy;
    if (typeof options.construct === 'function') this._construct = options.construct;
    if (options.signal) {
      require('internal/streams/add_abort_signal').addAbortSignal(options.signal, this);
    }
  }
  if (this._construct != null)
    construct(this, () => {
      this._readableState.onConstructed(this);
    });
}
Object.setPrototypeOf(Readable.prototype, Stream.prototype);
Object.setPrototypeOf(Readable, Stream);
Readable.ReadableState = ReadableState;

// Duplex calls it too.
ReadableState.prototype.onConstructed = function (stream) {
  if ((this.flags & kNeedReadable) !== 0) fillUpLater(stream, this);
};

Readable.prototype.destroy = destroy;
Readable.prototype._undestroy = undestroy;
Readable.prototype._destroy = function (error, callback) {
  callback(error);
};

Readable.prototype[EventEmitter.captureRejectionSymbol] = function (error) {
  this.destroy(error);
};

Readable.prototype[Symbol.asyncDispose] = async function () {
  let reason;
  if (!this.destroyed) {
    reason = this.readableEnded ? null : new AbortError();
    this.destroy(reason);
  }
  const { eos } = require('internal/streams/end_of_stream');
  await new Promise((resolve, reject) => {
    eos(this, (error) => (error && error !== reason ? reject(error) : resolve(null)));
  });
};

// The usual case, whole chunks into a stream without a decoder, takes the short way.
Readable.prototype.push = function (chunk, encoding) {
  const state = this._readableState;
  if (state.decoder === null && ((state.flags & kObjectMode) !== 0 ? chunk !== null : chunk instanceof Buffer && chunk.length !== 0)) {
    return accept(this, state, chunk);
  }
  return pushOther(this, state, chunk, encoding);
};

function pushOther(stream, state, chunk, encoding) {
  if (chunk === null) {
    state.flags &= ~kReading;
    onEnd(stream, state);
    return false;
  }
  if ((state.flags & kObjectMode) === 0) {
    if (chunk instanceof Buffer) {
      encoding = '';
    } else {
      if (typeof chunk === 'string') {
        encoding ||= state.defaultEncoding;
        if (state.encoding !== encoding) {
          chunk = Buffer.from(chunk, encoding);
          encoding = '';
        }
      } else if (ArrayBuffer.isView(chunk)) {
        chunk = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
        encoding = '';
      } else if (chunk !== undefined) {
        return refuseChunk(stream, chunk);
      }
    }
    if (!chunk || chunk.length === 0) return acceptNothing(stream, state);
  }
  if (state.decoder !== null && !encoding && (state.flags & kClosedToPush) === 0) {
    chunk = state.decoder.write(chunk);
    if (chunk.length === 0 && (state.flags & kObjectMode) === 0) return acceptNothing(stream, state);
  }
  return accept(stream, state, chunk);
}

function acceptNothing(stream, state) {
  state.flags &= ~kReading;
  fillUpLater(stream, state);
  return wantsMore(state);
}

function accept(stream, state, chunk) {
  const flags = state.flags & ~kReading;
  if ((flags & kClosedToPush) !== 0) return refusePush(stream, flags);
  state.flags = flags;
  if ((flags & kDirectMask) === kDirect && state.length === 0) {
    // Flowing, and _read is not on the stack: the chunk never sees the queue.
    if (state.awaitDrainWriters !== null) forgetSlowWriters(state);
    if ((flags & kDataEmitted) === 0) state.flags = flags | kDataEmitted;
    emitData(stream, chunk);
  } else {
    state.length += (flags & kObjectMode) !== 0 ? 1 : chunk.length;
    arrayPush.call(state.buffer, chunk);
    if ((flags & kNeedReadable) !== 0) emitReadableLater(stream, state);
  }
  if ((state.flags & kFillMask) === kConstructed) {
    // A socket that is being read would have its read(0) on the tick find nothing to do: a turn into JavaScript less.
    if ((state.flags & kOpenFlowMask) === kFlowing && state.length === 0 && stream[kGoesOn]?.()) state.flags |= kReadOfOpen;
    else fillUpLater(stream, state);
  }
  return wantsMore(state);
}

function refusePush(stream, flags) {
  if ((flags & kEnded) !== 0) errorOrDestroy(stream, new ERR_STREAM_PUSH_AFTER_EOF());
  return false;
}

Readable.prototype.unshift = function (chunk, encoding) {
  const state = this._readableState;
  if (chunk === null) {
    state.flags &= ~kReading;
    onEnd(this, state);
    return false;
  }
  if ((state.flags & kObjectMode) === 0) {
    if (typeof chunk === 'string') {
      encoding ||= state.defaultEncoding;
      if (state.encoding !== encoding) {
        chunk = Buffer.from(chunk, encoding);
        // The queue of a decoding stream holds strings of its own encoding.
        if (state.encoding) chunk = chunk.toString(state.encoding);
      }
    } else if (ArrayBuffer.isView(chunk)) {
      chunk = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    } else if (chunk !== undefined) {
      return refuseChunk(this, chunk);
    }
    if (!chunk || chunk.length === 0) return wantsMore(state);
  }
  if ((state.flags & kEndEmitted) !== 0) {
    errorOrDestroy(this, new ERR_STREAM_UNSHIFT_AFTER_END_EVENT());
  } else if ((state.flags & (kDestroyed | kErrored)) !== 0) {
    return false;
  } else {
    putBack(this, state, chunk);
  }
  return wantsMore(state);
};

function refuseChunk(stream, chunk) {
  errorOrDestroy(stream, new ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk));
  return false;
}

// An empty queue always wants more, even with a high-water mark of 0.
function wantsMore(state) {
  return (state.flags & kEnded) === 0 && (state.length < state.highWaterMark || state.length === 0);
}

function putBack(stream, state, chunk) {
  if ((state.flags & kDirectMask) === kDirect && state.length === 0) {
    if (state.awaitDrainWriters !== null) forgetSlowWriters(state);
    state.flags |= kDataEmitted;
    emitData(stream, chunk);
  } else {
    state.length += (state.flags & kObjectMode) !== 0 ? 1 : chunk.length;
    if (state.bufferIndex > 0) state.buffer[--state.bufferIndex] = chunk;
    else arrayUnshift.call(state.buffer, chunk);
    if ((state.flags & kNeedReadable) !== 0) emitReadableLater(stream, state);
  }
  fillUpLater(stream, state);
}

function forgetSlowWriters(state) {
  if ((state.flags & kMultiAwaitDrain) !== 0) state.awaitDrainWriters.clear();
  else state.awaitDrainWriters = null;
}

function onEnd(stream, state) {
  if ((state.flags & kEnded) !== 0) return;
  if (state.decoder !== null) {
    const rest = state.decoder.end();
    if (rest?.length) {
      arrayPush.call(state.buffer, rest);
      state.length += (state.flags & kObjectMode) !== 0 ? 1 : rest.length;
    }
  }
  state.flags |= kEnded;
  if ((state.flags & kSync) !== 0) {
    emitReadableLater(stream, state);
  } else {
    // Not inside _read: 'readable' comes at once, and parsers depend on it.
    state.flags = (state.flags & ~kNeedReadable) | kEmittedReadable;
    readableTick(stream);
  }
}

Readable.prototype.read = function (n) {
  const state = this._readableState;
  return n === undefined ? readNext(this, state) : readSome(this, state, askedSize(n));
};

// read() without a size: the next chunk. _read comes before taking: a synchronous source may supply it.
function readNext(stream, state) {
  const flags = state.flags & ~kEmittedReadable;
  const length = state.length;
  let size = sizeOfNext(state, flags);
  if ((flags & kReadMask) === kConstructed && (length - size < state.highWaterMark || (flags & kNeedReadable) !== 0 || length === 0)) {
    state.flags = flags | (length === 0 ? kReadOfEmpty : kReadAhead);
    callRead(stream, state);
    if ((state.flags & kReading) === 0) size = sizeOfNext(state, state.flags);
  } else {
    state.flags = flags;
  }
  if (size !== 0) return take(stream, state, kAnySize, size);
  return (flags & kEnded) !== 0 ? readEnd(stream, state) : readNothing(stream, state, kAnySize);
}

function readSome(stream, state, asked) {
  if (asked === kAnySize) return readNext(stream, state);
  if (asked > state.highWaterMark) state.highWaterMark = nextPowerOfTwo(asked);
  if (asked !== 0) state.flags &= ~kEmittedReadable;
  else if (announceOnly(stream, state)) return null;

  let size = sizeToTake(asked, state);
  const { flags, length } = state;
  if (size === 0 && (flags & kEnded) !== 0) return readEnd(stream, state);
  if ((flags & kReadMask) === kConstructed && (length === 0 || (flags & kNeedReadable) !== 0 || length - size < state.highWaterMark)) {
    state.flags = flags | (length === 0 ? kReadOfEmpty : kReadAhead);
    callRead(stream, state);
    if ((state.flags & kReading) === 0) size = sizeToTake(asked, state);
  }
  return size === 0 ? readNothing(stream, state, asked) : take(stream, state, asked, size);
}

function take(stream, state, asked, size) {
  const chunk = takeFromBuffer(size, state);
  state.length -= size;
  if (state.awaitDrainWriters !== null) forgetSlowWriters(state);
  if (state.length === 0) afterLast(stream, state, asked !== size);
  const flags = state.flags;
  if ((flags & kToldOfEnd) === 0) {
    if ((flags & kDataEmitted) === 0) state.flags = flags | kDataEmitted;
    emitData(stream, chunk);
  }
  return chunk;
}

function readEnd(stream, state) {
  if (state.length === 0) endLater(stream, state);
  return null;
}

// The queue is empty now.
function afterLast(stream, state, mayEnd) {
  if ((state.flags & kEnded) === 0) state.flags |= kNeedReadable;
  else if (mayEnd) endLater(stream, state);
}

// emit('data', chunk), by the short way where there is one plain listener.
function emitData(stream, chunk) {
  const listener = stream._events?.data;
  if (typeof listener === 'function' && stream.emit === plainEmit && stream[kCapture] !== true) {
    call1(listener, stream, chunk);
  } else {
    stream.emit('data', chunk);
  }
}

function readNothing(stream, state, asked) {
  if (state.length <= state.highWaterMark) state.flags |= kNeedReadable;
  if (state.length === 0) {
    if ((state.flags & kEnded) === 0) state.flags |= kNeedReadable;
    else if (asked !== 0) endLater(stream, state);
  }
  return null;
}

// read() takes what there is; a negative size, like 0, takes nothing.
function askedSize(n) {
  if (!Number.isInteger(n)) n = Number.parseInt(n, 10);
  if (Number.isNaN(n)) return kAnySize;
  return n < 0 ? kNoSize : n;
}

// read(0) asks for an announcement, not for data: true when one is due already.
function announceOnly(stream, state) {
  if ((state.flags & kNeedReadable) === 0) return false;
  const { length, highWaterMark } = state;
  const ended = (state.flags & kEnded) !== 0;
  if (!ended && (length === 0 || length < highWaterMark)) return false;
  if (length === 0) endLater(stream, state);
  else emitReadableLater(stream, state);
  return true;
}

function callRead(stream, state) {
  try {
    stream._read(state.highWaterMark);
  } catch (error) {
    errorOrDestroy(stream, error);
  }
  state.flags &= ~kSync;
}

Readable.prototype._read = function (n) {
  throw new ERR_METHOD_NOT_IMPLEMENTED('_read()');
};

// Asking for more than the mark raises it, by doubling.
function nextPowerOfTwo(n) {
  if (n > kLargestHighWaterMark) throw new ERR_OUT_OF_RANGE('size', '<= 1GiB', n);
  return n <= 1 ? n : 2 ** (32 - Math.clz32(n - 1));
}

// Reads ahead up to the high-water mark, once the current work is done.
function fillUpLater(stream, state) {
  if ((state.flags & kFillMask) !== kConstructed) return;
  state.flags |= kReadingMore;
  process.nextTick(fillUpTick, stream, state);
}

function fillUpTick(stream, state) {
  while (
    (state.flags & (kReading | kEnded)) === 0 &&
    (state.length < state.highWaterMark || (state.length === 0 && (state.flags & kFlowing) !== 0))
  ) {
    const before = state.length;
    stream.read(0);
    if (before === state.length) break; // the source has nothing at the moment
  }
  state.flags &= ~kReadingMore;
}

function endLater(stream, state) {
  if ((state.flags & kEndEmitted) !== 0) return;
  state.flags |= kEnded;
  process.nextTick(endTick, state, stream);
}

function endTick(state, stream) {
  // A last unshift() may have come in between.
  if ((state.flags & (kErrored | kCloseEmitted | kEndEmitted)) !== 0 || state.length !== 0) return;
  state.flags |= kEndEmitted;
  stream.emit('end');
  if (stream.writable && stream.allowHalfOpen === false) {
    process.nextTick(endWritableTick, stream);
  } else if (state.autoDestroy) {
    // The writable half of a Duplex must be through as well, or be switched off.
    const w = stream._writableState;
    if (!w || (w.autoDestroy && (w.finished || w.writable === false))) stream.destroy();
  }
}

function endWritableTick(stream) {
  if (stream.writable && !stream.writableEnded && !stream.destroyed) stream.end();
}

Readable._fromList = takeFromBuffer;

Object.assign(Readable.prototype, flowMethods, require('internal/streams/readable_pipe'));
Object.defineProperties(Readable.prototype, require('internal/streams/readable_properties'));
Readable.prototype.addListener = Readable.prototype.on;
Readable.prototype.off = Readable.prototype.removeListener;
require('internal/streams/readable_iterator').install(Readable);

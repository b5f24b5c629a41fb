// natives: none
// The state of a Readable: its flags, and the queue of chunks not yet read.
// The queue is `buffer` from `bufferIndex` on; `length` counts bytes (characters
// once an encoding is set, objects in object mode). Chunks are never empty.
// readable.js drives it; programs see it as `_readableState`.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const {
  codes: { ERR_UNKNOWN_ENCODING },
} = require('internal/errors/coded');
const { getHighWaterMark, getDefaultHighWaterMark } = require('internal/streams/state');
const { kObjectMode, kAutoDestroy, kEmitClose, kConstructed, sharedNames, defineFlags, defineErrored } = require('internal/streams/flags');

const kEnded = 1 << 9; // push(null) happened
const kEndEmitted = 1 << 10;
const kReading = 1 << 11; // _read was called and has not pushed yet
const kSync = 1 << 12; // _read is on the stack: announce later, not now
const kNeedReadable = 1 << 13; // a reader found too little: tell it about more
const kEmittedReadable = 1 << 14; // 'readable' is scheduled or being emitted
const kReadableListening = 1 << 15;
const kDataListening = 1 << 16;
const kResumeScheduled = 1 << 17;
const kReadingMore = 1 << 18; // the fill-up tick is scheduled
const kDataEmitted = 1 << 19;
const kFlowDecided = 1 << 20; // unset: `flowing` is null
const kFlowing = 1 << 21;
const kPaused = 1 << 22; // by an explicit pause()
const kPauseDecided = 1 << 23;
const kMultiAwaitDrain = 1 << 24; // awaitDrainWriters is a Set, not one stream
const kTickPending = 1 << 25; // the 'readable' tick is in the queue

// A stream's function of this name says whether its source delivers on its own, so that a call of _read would do nothing.
const kGoesOn = Symbol('goes on by itself');

class ReadableState {
  constructor(options, stream, isDuplex) {
    let flags = kEmitClose | kAutoDestroy | kConstructed | kSync;
    if (options) {
      if (options.objectMode || (isDuplex && options.readableObjectMode)) flags |= kObjectMode;
      if (options.emitClose === false) flags &= ~kEmitClose;
      if (options.autoDestroy === false) flags &= ~kAutoDestroy;
    }
    this.flags = flags;
    this.highWaterMark = options ? getHighWaterMark(this, options, 'readableHighWaterMark', isDuplex) : getDefaultHighWaterMark(false);
    this.length = 0;
    this.buffer = [];
    this.bufferIndex = 0;
    this.pipes = [];
    this.awaitDrainWriters = null; // null, the one slow destination, or a Set of them
    this.decoder = null;
    this.encoding = null;
    this.defaultEncoding = checkedEncoding(options?.defaultEncoding);
    this.failure = null;
    this.readable = undefined; // false: this half of a Duplex is switched off
    if (options?.encoding) {
      const { StringDecoder } = require('internal/buffer/string_decoder');
      this.decoder = new StringDecoder(options.encoding);
      this.encoding = options.encoding;
    }
  }

  get flowing() {
    return (this.flags & kFlowDecided) !== 0 ? (this.flags & kFlowing) !== 0 : null;
  }

  set flowing(value) {
    this.flags &= ~(kFlowDecided | kFlowing);
    if (value != null) this.flags |= value ? kFlowDecided | kFlowing : kFlowDecided;
  }

  get paused() {
    return (this.flags & kPaused) !== 0;
  }

  set paused(value) {
    this.flags |= kPauseDecided;
    if (value) this.flags |= kPaused;
    else this.flags &= ~kPaused;
  }

  get pipesCount() {
    return this.pipes.length;
  }
}

defineErrored(ReadableState.prototype);
defineFlags(ReadableState.prototype, {
  ...sharedNames,
  ended: kEnded,
  endEmitted: kEndEmitted,
  reading: kReading,
  sync: kSync,
  needReadable: kNeedReadable,
  emittedReadable: kEmittedReadable,
  readableListening: kReadableListening,
  resumeScheduled: kResumeScheduled,
  readingMore: kReadingMore,
  dataEmitted: kDataEmitted,
  multiAwaitDrain: kMultiAwaitDrain,
});

function checkedEncoding(encoding) {
  if (encoding == null || encoding === 'utf8' || encoding === 'utf-8') return 'utf8';
  if (!Buffer.isEncoding(encoding)) throw new ERR_UNKNOWN_ENCODING(encoding);
  return encoding;
}

const kAnySize = -1;

// How much a read of `asked` can take now; kAnySize asks for what there is.
function sizeToTake(asked, state) {
  const { length, flags } = state;
  if (asked === kAnySize) return sizeOfNext(state, flags);
  if (asked <= 0 || length === 0) return 0;
  if ((flags & kObjectMode) !== 0) return 1;
  if (asked <= length) return asked;
  return (flags & kEnded) !== 0 ? length : 0;
}

// Bytes come out as they were pushed; so do strings while flowing, else all of them.
function sizeOfNext(state, flags) {
  const length = state.length;
  if (length === 0) return 0;
  if ((flags & kObjectMode) !== 0) return 1;
  if (state.decoder !== null && (flags & kFlowing) === 0) return length;
  return state.buffer[state.bufferIndex].length;
}

// Takes n (from sizeToTake) off the front of the queue. The caller lowers
// `length`. Null when nothing is queued.
function takeFromBuffer(n, state) {
  if (state.length === 0) return null;
  const { buffer, bufferIndex } = state;
  const first = buffer[bufferIndex];
  if ((state.flags & kObjectMode) !== 0 || n === first.length) {
    dropFirst(state, buffer, bufferIndex);
    return first;
  }
  return takePart(n, state, first);
}

function dropFirst(state, buffer, index) {
  if (index === 0 && buffer.length === 1) {
    arrayPop.call(buffer); // cheaper than setting the length
  } else {
    buffer[index] = null;
    skipTo(state, index + 1);
  }
}

function takePart(n, state, first) {
  if (n && n < first.length) {
    state.buffer[state.bufferIndex] = first.slice(n);
    return first.slice(0, n);
  }
  const wanted = !n || n > state.length ? state.length : n;
  return state.decoder !== null ? gatherText(wanted, state) : gatherBytes(wanted, state);
}

// Everything before `index` is consumed; gives the room back now and then.
function skipTo(state, index) {
  const buffer = state.buffer;
  if (index === buffer.length) {
    buffer.length = 0;
    state.bufferIndex = 0;
  } else if (index > 1024) {
    arraySplice.call(buffer, 0, index);
    state.bufferIndex = 0;
  } else {
    state.bufferIndex = index;
  }
}

function gatherText(n, state) {
  const buffer = state.buffer;
  let index = state.bufferIndex;
  let text = '';
  while (index < buffer.length && n > 0) {
    const part = buffer[index];
    if (part.length > n) {
      text += stringSlice.call(part, 0, n);
      buffer[index] = stringSlice.call(part, n);
      break;
    }
    text += part;
    n -= part.length;
    buffer[index++] = null;
  }
  skipTo(state, index);
  return text;
}

function gatherBytes(n, state) {
  const buffer = state.buffer;
  const bytes = Buffer.allocUnsafe(n);
  let index = state.bufferIndex;
  let filled = 0;
  while (index < buffer.length && filled < n) {
    const part = buffer[index];
    if (part.length > n - filled) {
      bytesSet.call(bytes, part.subarray(0, n - filled), filled);
      buffer[index] = part.subarray(n - filled);
      break;
    }
    bytesSet.call(bytes, part, filled);
    filled += part.length;
    buffer[index++] = null;
  }
  skipTo(state, index);
  return bytes;
}

module.exports = {
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
  kReadableListening,
  kDataListening,
  kResumeScheduled,
  kReadingMore,
  kDataEmitted,
  kFlowDecided,
  kFlowing,
  kPaused,
  kPauseDecided,
  kMultiAwaitDrain,
  kTickPending,
  kGoesOn,
};

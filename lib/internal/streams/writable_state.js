// natives: none
// The state of a Writable: its flags, and the queue of writes that wait their
// turn (`buffered` from `bufferedIndex` on, each { chunk, encoding, callback },
// the shape _writev receives). `length` counts what is queued or being written.
// writable.js drives it; programs see it as `_writableState`.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const {
  codes: { ERR_UNKNOWN_ENCODING },
} = require('internal/errors/coded');
const { getHighWaterMark, getDefaultHighWaterMark } = require('internal/streams/state');
const {
  kObjectMode,
  kAutoDestroy,
  kEmitClose,
  kConstructed,
  kDestroyed,
  kErrored,
  sharedNames,
  defineFlags,
  defineErrored,
} = require('internal/streams/flags');

const kSync = 1 << 9; // _write or _final is on the stack
const kFinalCalled = 1 << 10;
const kNeedDrain = 1 << 11; // write() returned false: 'drain' is owed
const kEnding = 1 << 12; // end() was called
const kEnded = 1 << 13; // … and has returned
const kFinished = 1 << 14; // 'finish' was emitted
const kDecodeStrings = 1 << 15;
const kWriting = 1 << 16; // a _write has not called back yet
const kExpectWriteCb = 1 << 17; // and its callback was not called before
const kBufferProcessing = 1 << 18;
const kPrefinished = 1 << 19;
const kAllBuffers = 1 << 20;
const kAllNoop = 1 << 21; // no queued write has a callback
const kCorked = 1 << 22;
const kAfterWritePending = 1 << 23;
const kBuffered = 1 << 24; // the queue is in use

function nop() {}

class WritableState {
  constructor(options, stream, isDuplex) {
    let flags = kSync | kConstructed | kEmitClose | kAutoDestroy | kDecodeStrings | kAllBuffers | kAllNoop;
    if (options) {
      if (options.objectMode || (isDuplex && options.writableObjectMode)) flags |= kObjectMode;
      if (options.decodeStrings === false) flags &= ~kDecodeStrings;
      if (options.emitClose === false) flags &= ~kEmitClose;
      if (options.autoDestroy === false) flags &= ~kAutoDestroy;
    }
    this.flags = flags;
    this.highWaterMark = options ? getHighWaterMark(this, options, 'writableHighWaterMark', isDuplex) : getDefaultHighWaterMark(false);
    this.length = 0;
    this.writelen = 0; // of the write under way
    this.writecb = nop; // its caller's callback
    this.pendingcb = 0; // callbacks owed before 'finish'
    this.corked = 0;
    this.buffered = [];
    this.bufferedIndex = 0;
    this.afterWriteTickInfo = null; // callbacks of synchronous writes, batched
    this.onfinish = null; // callbacks given to end()
    this.onwrite = (error) => {
      this.completeWrite(stream, error);
    };
    this.defaultEncoding = checkedEncoding(options?.defaultEncoding);
    this.failure = null;
    this.writable = undefined; // false: this half of a Duplex is switched off
  }

  getBuffer() {
    return arraySlice.call(this.buffered, this.bufferedIndex);
  }

  get bufferedRequestCount() {
    return this.buffered.length - this.bufferedIndex;
  }
}

defineErrored(WritableState.prototype);
defineFlags(WritableState.prototype, {
  ...sharedNames,
  sync: kSync,
  finalCalled: kFinalCalled,
  needDrain: kNeedDrain,
  ending: kEnding,
  ended: kEnded,
  finished: kFinished,
  decodeStrings: kDecodeStrings,
  writing: kWriting,
  bufferProcessing: kBufferProcessing,
  prefinished: kPrefinished,
  allBuffers: kAllBuffers,
  allNoop: kAllNoop,
});

function checkedEncoding(encoding) {
  if (encoding == null || encoding === 'utf8' || encoding === 'utf-8') return 'utf8';
  if (!Buffer.isEncoding(encoding)) throw new ERR_UNKNOWN_ENCODING(encoding);
  return encoding;
}

function enqueue(state, chunk, encoding, callback) {
  let flags = state.flags | kBuffered;
  if (encoding !== 'buffer') flags &= ~kAllBuffers;
  if (callback !== nop) flags &= ~kAllNoop;
  state.flags = flags;
  arrayPush.call(state.buffered, { chunk, encoding, callback });
}

// A new array: the old one may be in the hands of _writev.
function resetQueue(state) {
  if (state.buffered.length !== 0) state.buffered = [];
  state.bufferedIndex = 0;
  state.flags = (state.flags | kAllBuffers | kAllNoop) & ~kBuffered;
}

// Everything before `index` has been written.
function advanceQueue(state, index) {
  if (index === state.buffered.length) {
    resetQueue(state);
  } else if (index > 256) {
    arraySplice.call(state.buffered, 0, index);
    state.bufferedIndex = 0;
  } else {
    state.bufferedIndex = index;
  }
}

// Constructed, open, and nothing under way, queued or held back: a write would be the next thing to leave.
const kBusy = kConstructed | kDestroyed | kErrored | kEnding | kEnded | kWriting | kCorked | kBuffered;
const isIdle = (state) => (state.flags & kBusy) === kConstructed;

module.exports = {
  isIdle,
  WritableState,
  enqueue,
  resetQueue,
  advanceQueue,
  nop,
  kSync,
  kFinalCalled,
  kNeedDrain,
  kEnding,
  kEnded,
  kFinished,
  kDecodeStrings,
  kWriting,
  kExpectWriteCb,
  kBufferProcessing,
  kPrefinished,
  kAllBuffers,
  kAllNoop,
  kCorked,
  kAfterWritePending,
  kBuffered,
};

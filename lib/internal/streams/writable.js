// natives: none
// Writable: write() hands a chunk to _write, or queues it while one is under way;
// one callback at a time. Completions of synchronous writes are reported a tick
// later, asynchronous ones at once. How a stream finishes is in writable_finish.js.
'use strict';

const EventEmitter = require('internal/events/events');
const { Buffer } = require('internal/buffer/buffer');
const {
  AbortError,
  codes: {
    ERR_INVALID_ARG_TYPE,
    ERR_METHOD_NOT_IMPLEMENTED,
    ERR_MULTIPLE_CALLBACK,
    ERR_STREAM_CANNOT_PIPE,
    ERR_STREAM_DESTROYED,
    ERR_STREAM_NULL_VALUES,
    ERR_STREAM_WRITE_AFTER_END,
    ERR_UNKNOWN_ENCODING,
  },
} = require('internal/errors/coded');
const { Stream } = require('internal/streams/legacy');
const { construct, destroy, errorOrDestroy, undestroy } = require('internal/streams/destroy');
const { kObjectMode, kConstructed, kDestroyed, kErrored } = require('internal/streams/flags');
const {
  WritableState,
  enqueue,
  resetQueue,
  advanceQueue,
  nop,
  kSync,
  kNeedDrain,
  kEnding,
  kDecodeStrings,
  kWriting,
  kExpectWriteCb,
  kBufferProcessing,
  kAllBuffers,
  kAllNoop,
  kCorked,
  kAfterWritePending,
  kBuffered,
} = require('internal/streams/writable_state');
const { end, finishMaybe, callFinishCallbacks } = require('internal/streams/writable_finish');

// Combined here: the engine inlines short functions, and each constant named in one makes it longer.
const kIdle = kConstructed;
const kIdleObjects = kConstructed | kObjectMode;
const kIdleMask = kIdleObjects | kEnding | kDestroyed | kErrored | kWriting | kCorked;
const kInWrite = kWriting | kSync | kExpectWriteCb;
const kAwaitsCallback = kWriting | kExpectWriteCb;
const kBroken = kDestroyed | kErrored;
const kQuiet = kSync | kExpectWriteCb;
const kQuietMask = kQuiet | kBuffered | kEnding | kNeedDrain;
const kObjectReport = kObjectMode | kAfterWritePending;

module.exports = Writable;

function Writable(options) {
  if (!(this instanceof Writable)) return new Writable(options);
  call1(Stream, this, options);
  this._writableState = new WritableState(options, this, false);
  if (options) {
    if (typeof options.write === 'function') this._write = options.write;
    if (typeof options.writev === 'function') this._writev = options.writev;
    if (typeof options.destroy === 'function') this._destroy = options.destroy;
    if (typeof options.final === 'function') this._final = options.final;
    if (typeof options.construct === 'function') this._construct = options.construct;
    if (options.signal) {
      require('internal/streams/add_abort_signal').addAbortSignal(options.signal, this);
    }
  }
  if (this._construct != null)
    construct(this, () => {
      this._writableState.onConstructed(this);
    });
}
Object.setPrototypeOf(Writable.prototype, Stream.prototype);
Object.setPrototypeOf(Writable, Stream);

Writable.WritableState = WritableState;

// A Duplex counts as a Writable although it inherits from Readable.
Object.defineProperty(Writable, Symbol.hasInstance, {
  __proto__: null,
  value: function (instance) {
    if (call1(Function.prototype[Symbol.hasInstance], this, instance)) return true;
    return this === Writable && !!instance && instance._writableState instanceof WritableState;
  },
});

// Duplex calls it too.
WritableState.prototype.onConstructed = function (stream) {
  if ((this.flags & kWriting) === 0) writeQueued(stream, this);
  if ((this.flags & kEnding) !== 0) finishMaybe(stream, this);
};

Writable.prototype.pipe = function () {
  errorOrDestroy(this, new ERR_STREAM_CANNOT_PIPE());
};

// Bytes or objects that nobody waits for, while nothing stands in their way, take the short way.
Writable.prototype.write = function (chunk, encoding, callback) {
  const state = this._writableState;
  if (callback === undefined && encoding === undefined) {
    const kind = state.flags & kIdleMask;
    if (kind === kIdle) {
      if (chunk instanceof Buffer) return writeNow(this, state, chunk, chunk.length, 'buffer', nop);
    } else if (kind === kIdleObjects && chunk !== null) {
      return writeNow(this, state, chunk, 1, undefined, nop);
    }
  }
  return writeAny(this, chunk, encoding, callback);
};

function writeAny(stream, chunk, encoding, callback) {
  if (encoding != null && typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  return writeChunk(stream, chunk, encoding, callback) === true;
}

// True or false as write() returns it, or the error that kept the chunk out.
function writeChunk(stream, chunk, encoding, callback) {
  const state = stream._writableState;
  if (typeof callback !== 'function') callback = nop;
  if (chunk === null) throw new ERR_STREAM_NULL_VALUES();

  if ((state.flags & kObjectMode) === 0) {
    if (encoding && encoding !== 'buffer' && !Buffer.isEncoding(encoding)) {
      throw new ERR_UNKNOWN_ENCODING(encoding);
    }
    if (chunk instanceof Buffer) {
      encoding = 'buffer';
    } else if (typeof chunk === 'string') {
      encoding ||= state.defaultEncoding;
      if (encoding === 'buffer') throw new ERR_UNKNOWN_ENCODING(encoding);
      if ((state.flags & kDecodeStrings) !== 0) {
        chunk = Buffer.from(chunk, encoding);
        encoding = 'buffer';
      }
    } else if (ArrayBuffer.isView(chunk)) {
      chunk = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      encoding = 'buffer';
    } else {
      throw new ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
    }
  }
  if ((state.flags & (kEnding | kDestroyed)) !== 0) return refuseWrite(stream, state, callback);

  const size = (state.flags & kObjectMode) !== 0 ? 1 : chunk.length;
  if ((state.flags & kIdleMask & ~kObjectMode) === kIdle) return writeNow(stream, state, chunk, size, encoding, callback);
  state.pendingcb++;
  state.length += size;
  enqueue(state, chunk, encoding, callback);
  return hasRoom(state);
}

function refuseWrite(stream, state, callback) {
  const error = (state.flags & kEnding) !== 0 ? new ERR_STREAM_WRITE_AFTER_END() : new ERR_STREAM_DESTROYED('write');
  process.nextTick(callback, error);
  errorOrDestroy(stream, error, true);
  return error;
}

function writeNow(stream, state, chunk, size, encoding, callback) {
  state.pendingcb++;
  state.length += size;
  state.writelen = size;
  state.writecb = callback;
  state.flags |= kInWrite;
  stream._write(chunk, encoding, state.onwrite);
  state.flags &= ~kSync;
  return hasRoom(state);
}

function hasRoom(state) {
  const length = state.length;
  if (length >= state.highWaterMark && length !== 0) {
    state.flags |= kNeedDrain;
    return false;
  }
  // False also when broken, so that `while (write(x))` loops stop.
  return (state.flags & kBroken) === 0;
}

// Hands one queued write, or all of them for _writev, to the implementation.
function startWrite(stream, state, isBatch, size, chunk, encoding, callback) {
  state.writelen = size;
  state.writecb = callback;
  state.flags |= kInWrite;
  if ((state.flags & kDestroyed) !== 0) state.onwrite(new ERR_STREAM_DESTROYED('write'));
  else if (isBatch) stream._writev(chunk, state.onwrite);
  else stream._write(chunk, encoding, state.onwrite);
  state.flags &= ~kSync;
}

// Every _write calls back into this, through state.onwrite.
WritableState.prototype.completeWrite = function (stream, error) {
  const flags = this.flags;
  if (!error && this.writecb === nop && (flags & kQuietMask) === kQuiet && (flags & kObjectReport) !== kObjectMode) {
    this.flags = flags & ~kAwaitsCallback; // nobody waits for anything
    this.length -= this.writelen;
    this.writelen = 0;
    this.pendingcb--;
  } else {
    tellOfWrite(stream, this, error);
  }
};

function tellOfWrite(stream, state, error) {
  if ((state.flags & kExpectWriteCb) === 0) {
    errorOrDestroy(stream, new ERR_MULTIPLE_CALLBACK());
    return;
  }
  const callback = state.writecb;
  const flags = state.flags & ~kAwaitsCallback;
  state.flags = flags;
  state.writecb = nop;
  state.length -= state.writelen;
  state.writelen = 0;

  if (error) {
    onWriteFailed(stream, state, error, callback, (flags & kSync) !== 0);
  } else {
    if ((flags & kBuffered) !== 0) writeQueued(stream, state);
    if ((flags & kSync) !== 0) reportLater(stream, state, callback);
    else afterWrite(stream, state, 1, callback);
  }
}

// A synchronous write: its callback and 'drain' must wait for a tick. Writes with
// the same callback share one; with none and nothing to tell, there is no tick,
// except in object mode, where the completion always takes one.
function reportLater(stream, state, callback) {
  const flags = state.flags;
  if (callback === nop) {
    if ((flags & kAfterWritePending) === 0 && ((flags & kObjectMode) !== 0 || ((flags & kNeedDrain) !== 0 && state.length === 0))) {
      state.flags |= kAfterWritePending;
      process.nextTick(afterWrite, stream, state, 1, nop);
    } else {
      state.pendingcb--;
      if ((flags & kEnding) !== 0) finishMaybe(stream, state, true);
    }
    return;
  }
  const info = state.afterWriteTickInfo;
  if (info !== null && info.callback === callback) {
    info.count++;
  } else {
    state.afterWriteTickInfo = { count: 1, callback, stream, state };
    state.flags |= kAfterWritePending;
    process.nextTick(afterWriteTick, state.afterWriteTickInfo);
  }
}

function afterWriteTick({ stream, state, count, callback }) {
  state.afterWriteTickInfo = null;
  afterWrite(stream, state, count, callback);
}

function afterWrite(stream, state, count, callback) {
  state.flags &= ~kAfterWritePending;
  if ((state.flags & (kEnding | kNeedDrain | kDestroyed)) === kNeedDrain && state.length === 0) {
    state.flags &= ~kNeedDrain;
    stream.emit('drain');
  }
  while (count-- > 0) {
    state.pendingcb--;
    callback(null);
  }
  if ((state.flags & kDestroyed) !== 0) failQueued(state);
  if ((state.flags & kEnding) !== 0) finishMaybe(stream, state, true);
}

function onWriteFailed(stream, state, error, callback, isSync) {
  if ((state.flags & kErrored) === 0) state.errored = error;
  const readable = stream._readableState;
  if (readable && !readable.errored) readable.errored = error;
  if (isSync) process.nextTick(reportFailure, stream, state, error, callback);
  else reportFailure(stream, state, error, callback);
}

// Callbacks first, the 'error' event after them.
function reportFailure(stream, state, error, callback) {
  state.pendingcb--;
  callback(error);
  failQueued(state);
  errorOrDestroy(stream, error);
}

function failQueued(state) {
  if ((state.flags & kWriting) !== 0) return;
  const queue = state.buffered;
  for (let i = state.bufferedIndex; i < queue.length; i++) {
    const { chunk, callback } = queue[i];
    state.length -= (state.flags & kObjectMode) !== 0 ? 1 : chunk.length;
    callback(state.errored ?? new ERR_STREAM_DESTROYED('write'));
  }
  callFinishCallbacks(state, () => state.errored ?? new ERR_STREAM_DESTROYED('end'));
  resetQueue(state);
}

function writeQueued(stream, state) {
  if ((state.flags & (kDestroyed | kBufferProcessing | kCorked | kBuffered | kConstructed)) !== (kBuffered | kConstructed)) {
    return;
  }
  const queue = state.buffered;
  let i = state.bufferedIndex;
  const count = queue.length - i;
  if (count === 0) return;

  state.flags |= kBufferProcessing;
  if (count > 1 && stream._writev) {
    writeBatch(stream, state, queue, i);
  } else {
    const objectMode = (state.flags & kObjectMode) !== 0;
    do {
      const { chunk, encoding, callback } = queue[i];
      queue[i++] = null;
      startWrite(stream, state, false, objectMode ? 1 : chunk.length, chunk, encoding, callback);
    } while (i < queue.length && (state.flags & kWriting) === 0);
    advanceQueue(state, i);
  }
  state.flags &= ~kBufferProcessing;
}

function writeBatch(stream, state, queue, from) {
  const until = queue.length;
  state.pendingcb -= until - from - 1;
  const noCallbacks = (state.flags & kAllNoop) !== 0;
  const chunks = noCallbacks && from === 0 ? queue : arraySlice.call(queue, from);
  chunks.allBuffers = (state.flags & kAllBuffers) !== 0;
  const callback = noCallbacks
    ? nop
    : (error) => {
        for (let i = from; i < until; i++) queue[i].callback(error);
      };
  startWrite(stream, state, true, state.length, chunks, '', callback);
  // Chunks that _writev itself wrote meanwhile stay queued.
  const added = queue.length > until ? arraySplice.call(queue, until) : null;
  resetQueue(state);
  if (added !== null) for (const { chunk, encoding, callback } of each(added)) enqueue(state, chunk, encoding, callback);
}

Writable.prototype._write = function (chunk, encoding, callback) {
  if (!this._writev) throw new ERR_METHOD_NOT_IMPLEMENTED('_write()');
  this._writev([{ chunk, encoding }], callback);
};

Writable.prototype._writev = null;

Writable.prototype.cork = function () {
  const state = this._writableState;
  state.flags |= kCorked;
  state.corked++;
};

Writable.prototype.uncork = function () {
  const state = this._writableState;
  if (state.corked === 0) return;
  if (--state.corked === 0) state.flags &= ~kCorked;
  if ((state.flags & kWriting) === 0) writeQueued(this, state);
};

Writable.prototype.setDefaultEncoding = function setDefaultEncoding(encoding) {
  if (typeof encoding === 'string') encoding = stringToLowerCase.call(encoding);
  if (!Buffer.isEncoding(encoding)) throw new ERR_UNKNOWN_ENCODING(encoding);
  this._writableState.defaultEncoding = encoding === 'utf-8' ? 'utf8' : encoding;
  return this;
};

Writable.prototype.end = function (chunk, encoding, callback) {
  if (typeof chunk === 'function') {
    callback = chunk;
    chunk = null;
  } else if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  let refused = null;
  if (chunk != null) {
    const result = writeChunk(this, chunk, encoding, undefined);
    if (typeof result !== 'boolean') refused = result;
  }
  end(this, refused, callback);
  return this;
};

Writable.prototype.destroy = function (error, callback) {
  const state = this._writableState;
  // The queue's callbacks hear of it before 'close'.
  if ((state.flags & kDestroyed) === 0 && ((state.flags & kBuffered) !== 0 || state.onfinish !== null)) {
    process.nextTick(failQueued, state);
  }
  call2(destroy, this, error, callback);
  return this;
};

Writable.prototype._undestroy = undestroy;
Writable.prototype._destroy = function (error, callback) {
  callback(error);
};

Writable.prototype[EventEmitter.captureRejectionSymbol] = function (error) {
  this.destroy(error);
};

Writable.prototype[Symbol.asyncDispose] = async function () {
  if (!this.destroyed) this.destroy(this.writableFinished ? null : new AbortError());
  const { eos } = require('internal/streams/end_of_stream');
  await new Promise((resolve, reject) => {
    eos(this, (error) => (error && error.name !== 'AbortError' ? reject(error) : resolve(null)));
  });
};

Object.defineProperties(Writable.prototype, require('internal/streams/writable_properties'));

Writable.fromWeb = function (writableStream, options) {
  return requireLater('internal/webstreams/adapters').newStreamWritableFromWritableStream(writableStream, options);
};

Writable.toWeb = function (writable) {
  return requireLater('internal/webstreams/adapters').newWritableStreamFromStreamWritable(writable);
};

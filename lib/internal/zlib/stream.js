// natives: none
// The streams of node:zlib. Each write is a piece of work on the thread pool; its output is pushed chunk by chunk, and while the
// reader has enough, the work waits. Output that exceeds a chunk gets room for more of them the next time: the way to the pool and
// back costs as much as inflating a chunk. _handle is the codec, under the names that packages know.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const {
  codes: { ERR_INTERNAL_ASSERTION, ERR_TRAILING_JUNK_AFTER_STREAM_END },
} = require('internal/errors/coded');
const Transform = require('internal/streams/transform');
const { eos } = require('internal/streams/end_of_stream');
const { checkRangesOrGetDefault } = require('internal/util/validators');
const { constants } = require('internal/zlib/constants');
const { errorFor, families, settingsFor } = require('internal/zlib/settings');

const { Z_BLOCK, Z_FINISH, Z_FULL_FLUSH, Z_NO_FLUSH, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH } = constants;

const kFlushFlag = Symbol('flush that a chunk without bytes stands for');
const kError = Symbol('kError');
const kOnWritten = Symbol('function that the pool calls');
const kNative = Symbol('native codec');
const kChunks = Symbol('how many chunks of output a piece of work may have room for');
const kOutput = Symbol('buffer for the next output');
const kMostChunks = 8;

// Two numbers: the room left in the output, the bytes left of the input.
const makeSizes = () => new Float64Array(2);

class Handle {
  #sizes;

  constructor(codec, sizes) {
    this[kNative] = codec;
    this.#sizes = sizes;
  }
  // On the spot, for packages that turn the codec themselves; the sizes left are in the stream's _writeState.
  writeSync(flush, input, inOffset, inSize, output, outOffset, outSize) {
    const failure = this[kNative].writeSync(flush, input, inOffset, inSize, output, outOffset, outSize, this.#sizes);
    if (failure !== undefined) this.onerror(failure);
  }
  close() {
    this[kNative].close();
  }
  reset() {
    const failure = this[kNative].reset();
    if (failure === false) throw new Error('Cannot reset zlib stream while a write is in progress');
    if (failure !== undefined) this.onerror(failure);
  }
  params(level, strategy) {
    const failure = this[kNative].params(level, strategy);
    if (failure !== undefined) this.onerror(failure);
  }
  getAsyncId() {
    return 0;
  }
}

// From weak to strong: the last chunk gets the stronger one of its own and finishFlush.
const strength = [];
arrayForEach.call([Z_NO_FLUSH, Z_BLOCK, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_FINISH], (flag, i) => {
  strength[flag] = i;
});
const stronger = (a, b) => (strength[a] > strength[b] ? a : b);

// Chunks without bytes that carry a flush through the queue of writes.
const flushChunks = arrayMap.call(strength, (_, flag) => {
  const chunk = Buffer.alloc(0);
  chunk[kFlushFlag] = flag;
  return chunk;
});

function ZlibBase(options, mode, settings) {
  const { family } = settings;
  call1(Transform, this, {
    autoDestroy: true,
    ...options,
    ...(options && { encoding: null, objectMode: false, writableObjectMode: false }),
  });
  this[kError] = null;
  this.bytesWritten = 0;
  this._writeState = makeSizes();
  this._handle = new Handle(settings.native, this._writeState);
  this._handle.onerror = (failure) => fail(this, failure);
  this[kOutput] = null;
  this._outOffset = 0;
  this._chunkSize = settings.chunkSize;
  this[kChunks] = 1;
  this._defaultFlushFlag = settings.flush;
  this._finishFlushFlag = settings.finishFlush;
  this._defaultFullFlushFlag = family.fullFlush;
  this._flushBoundIdx = family.index;
  this._info = options?.info;
  this._maxOutputLength = settings.maxOutputLength;
  this._rejectGarbageAfterEnd = options?.rejectGarbageAfterEnd === true;
  this[kOnWritten] = undefined;
}
Object.setPrototypeOf(ZlibBase.prototype, Transform.prototype);
Object.setPrototypeOf(ZlibBase, Transform);

Object.defineProperty(ZlibBase.prototype, '_closed', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    return !this._handle;
  },
});

// Nothing here needs it before there is something to put into it. Packages that drive the codec themselves look at it first.
Object.defineProperty(ZlibBase.prototype, '_outBuffer', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    return (this[kOutput] ??= Buffer.allocUnsafeSlow(this._chunkSize));
  },
  set(buffer) {
    this[kOutput] = buffer;
  },
});

function checkOpen(stream) {
  if (!stream._handle) throw new ERR_INTERNAL_ASSERTION('zlib binding closed');
}

function close(stream) {
  stream._handle?.close();
  stream._handle = null;
}

// There is no way back after an error.
function fail(stream, failure) {
  const error = errorFor(failure, stream._maxOutputLength);
  stream.destroy(error);
  stream[kError] = error;
  return error;
}

ZlibBase.prototype.reset = function () {
  checkOpen(this);
  return this._handle.reset();
};

// Called by Transform when all is written.
ZlibBase.prototype._flush = function (callback) {
  this._transform(Buffer.alloc(0), '', callback);
};

// Not Transform's: _flush then runs at 'prefinish'.
ZlibBase.prototype._final = function (callback) {
  callback();
};

ZlibBase.prototype.flush = function (kind, callback) {
  if (typeof kind === 'function' || (kind === undefined && !callback)) {
    callback = kind;
    kind = this._defaultFullFlushFlag;
  }
  kind = checkRangesOrGetDefault(kind, 'kind', 0, families[this._flushBoundIdx].most, this._defaultFullFlushFlag);
  if (this.writableFinished) {
    if (callback) process.nextTick(callback);
  } else if (this.writableEnded) {
    if (callback) this.once('end', callback);
  } else {
    this.write(flushChunks[kind], '', callback);
  }
};

ZlibBase.prototype.close = function (callback) {
  if (callback) eos(this, callback);
  this.destroy();
};

ZlibBase.prototype._destroy = function (error, callback) {
  close(this);
  callback(error);
};

ZlibBase.prototype._transform = function (chunk, encoding, callback) {
  let flush = typeof chunk[kFlushFlag] === 'number' ? chunk[kFlushFlag] : this._defaultFlushFlag;
  if (this.writableEnded && this.writableLength === chunk.byteLength) flush = stronger(flush, this._finishFlushFlag);
  processChunk(this, chunk, flush, callback);
};

ZlibBase.prototype._processChunk = function (chunk, flush, callback) {
  if (typeof callback === 'function') return processChunk(this, chunk, flush, callback);
  return processChunkSync(this, chunk, flush);
};

// Everything at once, on the spot. As in Node, the stream cannot be used afterwards.
function processChunkSync(stream, chunk, flush) {
  if (stream[kError]) throw stream[kError];
  checkOpen(stream);
  const sizes = stream._writeState;
  const result = stream._handle[kNative].allSync(flush, chunk, stream._chunkSize, stream._maxOutputLength, sizes, chunk.byteLength);
  if (Array.isArray(result)) {
    // It is thrown; nobody need listen.
    stream.on('error', () => {});
    throw fail(stream, result);
  }
  if (sizes[1] > 0 && stream._rejectGarbageAfterEnd) {
    close(stream);
    throw new ERR_TRAILING_JUNK_AFTER_STREAM_END();
  }
  stream.bytesWritten = chunk.byteLength - sizes[1];
  close(stream);
  return result;
}

function processChunk(stream, chunk, flush, callback) {
  const handle = stream._handle;
  if (!handle) {
    process.nextTick(callback);
    return;
  }
  handle.buffer = chunk;
  handle.cb = callback;
  handle.inOff = 0;
  handle.availInBefore = chunk.byteLength;
  handle.flushFlag = flush;
  stream[kOnWritten] ??= (failure) => onWritten(stream, handle, failure);
  startWork(stream, handle);
}

function startWork(stream, handle) {
  if (stream[kOutput] === null) {
    // No more than the reader wants: one that has enough waits, as before, with one chunk too many at most.
    const wanted = Math.floor((stream.readableHighWaterMark - stream.readableLength) / stream._chunkSize);
    stream[kOutput] = Buffer.allocUnsafeSlow(stream._chunkSize * Math.max(1, Math.min(wanted, stream[kChunks])));
    stream._outOffset = 0;
  }
  handle.availOutBefore = stream[kOutput].length - stream._outOffset;
  handle[kNative].write(
    handle.flushFlag,
    handle.buffer,
    handle.inOff,
    handle.availInBefore,
    stream[kOutput],
    stream._outOffset,
    handle.availOutBefore,
    stream._writeState,
    stream[kOnWritten],
  );
}

function finish(handle, error) {
  const callback = handle.cb;
  handle.buffer = null;
  handle.cb = null;
  callback(error);
}

function onWritten(stream, handle, failure) {
  if (failure !== undefined) {
    fail(stream, failure);
    return;
  }
  if (stream.destroyed) {
    finish(handle);
    return;
  }
  const [room, left] = each(stream._writeState);
  const taken = handle.availInBefore - left;
  stream.bytesWritten += taken;
  handle.inOff += taken;
  handle.availInBefore = left;
  const isFull = pushOutput(stream, handle.availOutBefore - room);
  if (stream.destroyed) {
    finish(handle);
  } else if (room === 0) {
    if (stream[kChunks] < kMostChunks) stream[kChunks] *= 2;
    continueWork(stream, handle, isFull);
  } else if (left > 0 && stream._rejectGarbageAfterEnd) {
    const error = new ERR_TRAILING_JUNK_AFTER_STREAM_END();
    stream.destroy(error);
    finish(handle, error);
  } else {
    // The data has ended before its input: the rest is of no interest.
    if (left > 0) stream.push(null);
    finish(handle);
  }
}

// Whether the reader has enough.
function pushOutput(stream, made) {
  const { [kOutput]: output, _outOffset: start, _chunkSize: size } = stream;
  const end = start + made;
  stream._outOffset = end;
  if (end === output.length) stream[kOutput] = null;
  let isFull = false;
  for (let at = start; at < end && !stream.destroyed; ) {
    const next = Math.min(end, at - (at % size) + size);
    isFull = !stream.push(output.subarray(at, next));
    at = next;
  }
  return isFull;
}

// There is more to come. A reader that has enough asks for it.
function continueWork(stream, handle, isFull) {
  if (!isFull) {
    startWork(stream, handle);
    return;
  }
  const read = stream._read;
  stream._read = (size) => {
    stream._read = read;
    startWork(stream, handle);
    stream._read(size);
  };
}

function Zlib(options, mode) {
  const settings = settingsFor(options, mode, true);
  call3(ZlibBase, this, options, mode, settings);
  this._level = settings.level;
  this._strategy = settings.strategy;
  this._mode = mode;
}
Object.setPrototypeOf(Zlib.prototype, ZlibBase.prototype);
Object.setPrototypeOf(Zlib, ZlibBase);

Zlib.prototype.params = function (level, strategy, callback) {
  checkRangesOrGetDefault(level, 'level', constants.Z_MIN_LEVEL, constants.Z_MAX_LEVEL);
  checkRangesOrGetDefault(strategy, 'strategy', constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED);
  if (this._level === level && this._strategy === strategy) {
    process.nextTick(callback);
    return;
  }
  // Data written before has its old parameters.
  this.flush(Z_SYNC_FLUSH, () => {
    checkOpen(this);
    this._handle.params(level, strategy);
    if (this.destroyed) return;
    this._level = level;
    this._strategy = strategy;
    if (callback) callback();
  });
};

function Brotli(options, mode) {
  call3(ZlibBase, this, options, mode, settingsFor(options, mode, true));
}
Object.setPrototypeOf(Brotli.prototype, Zlib.prototype);
Object.setPrototypeOf(Brotli, Zlib);

function Zstd(options, mode) {
  call3(ZlibBase, this, options, mode, settingsFor(options, mode, true));
}
Object.setPrototypeOf(Zstd.prototype, ZlibBase.prototype);
Object.setPrototypeOf(Zstd, ZlibBase);

// As a class with this name that may be called without `new`, as in older programs.
function define(name, Base, mode) {
  let hasWarned = false;
  const Class = {
    [name]: function (options) {
      if (!(this instanceof Class)) {
        if (!hasWarned) {
          hasWarned = true;
          const text = `Instantiating ${name} without the 'new' keyword has been deprecated.`;
          process.emitWarning(text, 'DeprecationWarning', 'DEP0184', Class);
        }
        return new Class(options);
      }
      call2(Base, this, options, mode);
    },
  }[name];
  Object.setPrototypeOf(Class.prototype, Base.prototype);
  Object.setPrototypeOf(Class, Base);
  return Class;
}

module.exports = {
  Deflate: define('Deflate', Zlib, constants.DEFLATE),
  Inflate: define('Inflate', Zlib, constants.INFLATE),
  Gzip: define('Gzip', Zlib, constants.GZIP),
  Gunzip: define('Gunzip', Zlib, constants.GUNZIP),
  DeflateRaw: define('DeflateRaw', Zlib, constants.DEFLATERAW),
  InflateRaw: define('InflateRaw', Zlib, constants.INFLATERAW),
  Unzip: define('Unzip', Zlib, constants.UNZIP),
  BrotliCompress: define('BrotliCompress', Brotli, constants.BROTLI_ENCODE),
  BrotliDecompress: define('BrotliDecompress', Brotli, constants.BROTLI_DECODE),
  ZstdCompress: define('ZstdCompress', Zstd, constants.ZSTD_COMPRESS),
  ZstdDecompress: define('ZstdDecompress', Zstd, constants.ZSTD_DECOMPRESS),
};

// natives: none
// Node streams made of WHATWG streams (fromWeb), and the other way round (toWeb):
// what Readable, Writable and Duplex call. Back-pressure, errors, cancelling and
// early closing pass through in both directions.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const {
  AbortError,
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_STREAM_PREMATURE_CLOSE },
} = require('internal/errors/coded');
const { validateBoolean, validateObject, validateOneOf } = require('internal/util/validators');
const { destroyer: destroy } = require('internal/streams/destroy');
const { eos, kReportAtOnce } = require('internal/streams/end_of_stream');
const { isDestroyed, isReadable, isWritable, isWritableEnded } = require('internal/streams/utils');
const { hasRecord } = require('internal/webstreams/shared');
const { ReadableStreamRecord } = require('internal/webstreams/readable_core');
const { WritableStreamRecord } = require('internal/webstreams/writable_core');
const { ReadableStream } = require('internal/webstreams/readable_stream');
const { WritableStream } = require('internal/webstreams/writable_stream');
const { ByteLengthQueuingStrategy, CountQueuingStrategy } = require('internal/webstreams/queuing_strategies');

const kErrorListener = Symbol('kErrorListener');
const kCheckChunk = Symbol('function that throws for a chunk that may not be written');

function nop() {}

// Compressed data that is bad: what zlib (Z_DATA_ERROR and so on) and Brotli call it.
const kBadData = /^(Z_[A-Z_]+_ERROR|Z_NEED_DICT|ERR__ERROR_\w+)$/;

function asWebError(error) {
  const code = error?.code;
  if (code === 'ERR_STREAM_PREMATURE_CLOSE') return new AbortError(undefined, { cause: error });
  if (typeof code !== 'string' || !regexpTest.call(kBadData, code)) return error;
  const bad = new TypeError(undefined, { cause: error });
  bad.code = code;
  return bad;
}

function newWritableStreamFromStreamWritable(writable, checkChunk) {
  if (typeof writable?.write !== 'function' || typeof writable.on !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('streamWritable', 'stream.Writable', writable);
  }
  if (isDestroyed(writable) || !isWritable(writable)) {
    const closed = new WritableStream();
    closed.close();
    return closed;
  }
  const highWaterMark = writable.writableHighWaterMark;
  const strategy = writable.writableObjectMode
    ? new CountQueuingStrategy({ highWaterMark })
    : {
        highWaterMark,
        size(chunk) {
          return chunk?.byteLength ?? chunk?.length ?? 1;
        },
      };
  return new WritableStream(new NodeSink(writable, checkChunk), strategy);
}

// The underlying sink that writes to a Node stream.
class NodeSink {
  constructor(writable, checkChunk) {
    this.writable = writable;
    this.checkChunk = checkChunk;
    this.controller = null;
    this.room = null; // a write waits for 'drain'
    this.closing = null; // close() waits for 'finish'
    const stop = eos(writable, (error) => {
      stop();
      writable.on('error', nop); // old streams may emit a second one
      this.onEnd(asWebError(error));
    });
    writable.on('drain', () => {
      this.room?.resolve();
    });
  }

  onEnd(error) {
    if (error != null) {
      this.room?.reject(error);
      this.closing?.reject(error);
      this.controller?.error(error);
    } else if (this.closing !== null) {
      this.closing.resolve();
      this.closing = null;
      return;
    } else {
      this.controller?.error(new AbortError());
    }
    this.closing = null;
    this.controller = null;
  }

  start(controller) {
    this.controller = controller;
  }

  write(chunk) {
    const { writable } = this;
    if (!writable.writableNeedDrain && this.take(chunk)) return undefined;
    if (!writable.writableNeedDrain) return undefined;
    this.room = Promise.withResolvers();
    return promiseFinally(this.room.promise, () => {
      this.room = null;
    });
  }

  take(chunk) {
    const { writable, checkChunk } = this;
    if (checkChunk === undefined) return writable.write(this.viewOf(chunk));
    // The other half of a pair learns of a chunk that cannot be written.
    try {
      checkChunk(chunk);
      return writable.write(this.viewOf(chunk));
    } catch (error) {
      destroy(writable, error);
      throw error;
    }
  }

  viewOf(chunk) {
    if (this.writable.writableObjectMode) return chunk;
    return chunk instanceof ArrayBuffer || chunk instanceof SharedArrayBuffer ? new Uint8Array(chunk) : chunk;
  }

  abort(reason) {
    destroy(this.writable, reason);
  }

  close() {
    if (this.closing === null && !isWritableEnded(this.writable)) {
      this.closing = Promise.withResolvers();
      const { promise } = this.closing;
      this.writable.end();
      return promise;
    }
    this.controller = null;
    return undefined;
  }
}

function newReadableStreamFromStreamReadable(readable, options = {}) {
  if (typeof readable?._readableState !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('streamReadable', 'stream.Readable', readable);
  }
  validateObject(options, 'options');
  if (options.type !== undefined) validateOneOf(options.type, 'options.type', ['bytes', undefined]);
  const isBytes = options.type === 'bytes';
  const canRead = isReadable(readable);
  const objectMode = readable.readableObjectMode;
  let controller;
  let done = false;
  const source = {
    type: options.type,
    start(given) {
      controller = given;
    },
    cancel(reason) {
      done = true;
      destroy(readable, reason);
    },
  };
  let strategy;
  if (canRead) {
    source.pull = () => {
      readable.resume();
    };
    strategy = strategyFor(readable, options, isBytes);
  }
  const stream = new ReadableStream(source, strategy);

  let stop = nop;
  // Not waiting for the writable half of a Duplex.
  stop = eos(readable, { writable: false, [kReportAtOnce]: true }, (error) => {
    stop();
    if (!(kErrorListener in readable)) {
      readable.on('error', nop);
      readable[kErrorListener] = true;
    }
    if (done) return;
    done = true;
    if (error) {
      controller.error(asWebError(error));
    } else {
      controller.close();
      if (isBytes) controller.byobRequest?.respond(0);
    }
  });
  if (done) {
    stop();
  } else if (canRead) {
    readable.pause();
    readable.on('data', (chunk) => {
      // A copy: the Buffer may be part of a pool that must not be transferred.
      if (!objectMode && Buffer.isBuffer(chunk)) chunk = new Uint8Array(chunk);
      controller.enqueue(chunk);
      if (controller.desiredSize <= 0) readable.pause();
    });
  }
  return stream;
}

function strategyFor(readable, options, isBytes) {
  const highWaterMark = readable.readableHighWaterMark;
  if (isBytes) return { highWaterMark };
  if (options.strategy != null) return options.strategy;
  return readable.readableObjectMode ? new CountQueuingStrategy({ highWaterMark }) : new ByteLengthQueuingStrategy({ highWaterMark });
}

let warnedOfType = false;

function newReadableWritablePairFromDuplex(duplex, options = {}) {
  if (typeof duplex?._writableState !== 'object' || typeof duplex?._readableState !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('duplex', 'stream.Duplex', duplex);
  }
  validateObject(options, 'options');
  let type = options.readableType;
  if (type == null && options.type != null) {
    type = options.type;
    if (!warnedOfType) {
      warnedOfType = true;
      process.emitWarning(
        "Passing 'options.type' to Duplex.toWeb() is deprecated. " + "To specify the ReadableStream type, use 'options.readableType'.",
        'DeprecationWarning',
        'DEP0201',
      );
    }
  }
  const alive = !isDestroyed(duplex);
  let writable;
  let readable;
  if (alive && isWritable(duplex)) {
    writable = newWritableStreamFromStreamWritable(duplex, options[kCheckChunk]);
  } else {
    writable = new WritableStream();
    writable.close();
  }
  if (alive && isReadable(duplex)) {
    readable = newReadableStreamFromStreamReadable(duplex, { type });
  } else {
    readable = new ReadableStream({ type });
    readable.cancel();
  }
  return { readable, writable };
}

// Calls a stream's callback out of a promise reaction: what it throws must not
// become a rejection of that promise.
function calling(callback, onThrow) {
  return (error) => {
    try {
      callback(error);
    } catch (thrown) {
      process.nextTick(onThrow, thrown);
    }
  };
}

function rethrow(error) {
  throw error;
}

// The writable half shared by Writable and Duplex: _write, _writev, _final over a
// WritableStreamDefaultWriter.
class WriterHalf {
  constructor(writer, decodeStrings, objectMode) {
    this.writer = writer;
    this.decodes = decodeStrings && !objectMode;
    this.closed = false;
    this.stream = null;
  }

  options() {
    const half = this;
    return {
      write(chunk, encoding, callback) {
        half.write(chunk, encoding, callback);
      },
      writev(chunks, callback) {
        half.writev(chunks, callback);
      },
      final(callback) {
        half.final(callback);
      },
    };
  }

  done(callback) {
    return calling(callback, (error) => {
      destroy(this.stream, error);
    });
  }

  write(chunk, encoding, callback) {
    if (typeof chunk === 'string' && this.decodes) {
      const bytes = Buffer.from(chunk, encoding);
      chunk = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    const done = this.done(callback);
    promiseThen(
      promiseThen(this.writer.ready, () => this.writer.write(chunk)),
      () => {
        done();
      },
      done,
    );
  }

  writev(chunks, callback) {
    const done = this.done(callback);
    promiseThen(
      promiseThen(this.writer.ready, () => Promise.all(arrayMap.call(chunks, (entry) => this.writer.write(entry.chunk)))),
      () => {
        done();
      },
      done,
    );
  }

  final(callback) {
    if (this.closed) return;
    const done = this.done(callback);
    promiseThen(
      this.writer.close(),
      () => {
        done();
      },
      done,
    );
  }
}

function newStreamWritableFromWritableStream(writableStream, options = {}) {
  if (!hasRecord(writableStream, WritableStreamRecord)) {
    throw new ERR_INVALID_ARG_TYPE('writableStream', 'WritableStream', writableStream);
  }
  validateObject(options, 'options');
  const { highWaterMark, decodeStrings = true, objectMode = false, signal } = options;
  validateBoolean(objectMode, 'options.objectMode');
  validateBoolean(decodeStrings, 'options.decodeStrings');
  const writer = writableStream.getWriter();
  const half = new WriterHalf(writer, decodeStrings, objectMode);
  const Writable = require('internal/streams/writable');
  const writable = new Writable({
    highWaterMark,
    objectMode,
    decodeStrings,
    signal,
    ...half.options(),
    destroy(error, callback) {
      const done = calling(() => {
        callback(error);
      }, rethrow);
      if (half.closed) done();
      else promiseThen(error != null ? writer.abort(error) : writer.close(), done, done);
    },
  });
  half.stream = writable;
  promiseThen(
    writer.closed,
    () => {
      half.closed = true;
      if (!isWritableEnded(writable)) destroy(writable, new ERR_STREAM_PREMATURE_CLOSE());
    },
    (error) => {
      half.closed = true;
      destroy(writable, error);
    },
  );
  return writable;
}

function readInto(readable, reader) {
  promiseThen(
    reader.read(),
    ({ value, done }) => {
      readable.push(done ? null : value);
    },
    (error) => {
      destroy(readable, error);
    },
  );
}

function checkEncoding(encoding) {
  if (encoding !== undefined && !Buffer.isEncoding(encoding)) {
    throw new ERR_INVALID_ARG_VALUE('options.encoding', encoding);
  }
}

function newStreamReadableFromReadableStream(readableStream, options = {}) {
  if (!hasRecord(readableStream, ReadableStreamRecord)) {
    throw new ERR_INVALID_ARG_TYPE('readableStream', 'ReadableStream', readableStream);
  }
  validateObject(options, 'options');
  const { highWaterMark, encoding, objectMode = false, signal } = options;
  checkEncoding(encoding);
  validateBoolean(objectMode, 'options.objectMode');
  const reader = readableStream.getReader();
  let closed = false;
  const Readable = require('internal/streams/readable');
  const readable = new Readable({
    objectMode,
    highWaterMark,
    encoding,
    signal,
    read() {
      readInto(readable, reader);
    },
    destroy(error, callback) {
      const done = calling(() => {
        callback(error);
      }, rethrow);
      if (closed) done();
      else promiseThen(reader.cancel(error), done, done);
    },
  });
  promiseThen(
    reader.closed,
    () => {
      closed = true;
    },
    (error) => {
      closed = true;
      destroy(readable, error);
    },
  );
  return readable;
}

function newStreamDuplexFromReadableWritablePair(pair = {}, options = {}) {
  validateObject(pair, 'pair');
  const { readable: readableStream, writable: writableStream } = pair;
  if (!hasRecord(readableStream, ReadableStreamRecord)) {
    throw new ERR_INVALID_ARG_TYPE('pair.readable', 'ReadableStream', readableStream);
  }
  if (!hasRecord(writableStream, WritableStreamRecord)) {
    throw new ERR_INVALID_ARG_TYPE('pair.writable', 'WritableStream', writableStream);
  }
  validateObject(options, 'options');
  const { allowHalfOpen = false, objectMode = false, encoding, decodeStrings = true, highWaterMark, signal } = options;
  validateBoolean(objectMode, 'options.objectMode');
  checkEncoding(encoding);
  const writer = writableStream.getWriter();
  const reader = readableStream.getReader();
  const half = new WriterHalf(writer, decodeStrings, objectMode);
  let readableClosed = false;
  const Duplex = require('internal/streams/duplex');
  const duplex = new Duplex({
    allowHalfOpen,
    highWaterMark,
    objectMode,
    encoding,
    decodeStrings,
    signal,
    ...half.options(),
    read() {
      readInto(duplex, reader);
    },
    destroy(error, callback) {
      const done = calling(() => {
        callback(error);
      }, rethrow);
      if (half.closed && readableClosed) {
        done();
        return;
      }
      promiseThen(
        Promise.all([half.closed ? undefined : writer.abort(error), readableClosed ? undefined : reader.cancel(error)]),
        done,
        done,
      );
    },
  });
  half.stream = duplex;
  const onError = (error) => {
    half.closed = true;
    readableClosed = true;
    destroy(duplex, error);
  };
  promiseThen(
    writer.closed,
    () => {
      half.closed = true;
      if (!isWritableEnded(duplex)) destroy(duplex, new ERR_STREAM_PREMATURE_CLOSE());
    },
    onError,
  );
  promiseThen(
    reader.closed,
    () => {
      readableClosed = true;
    },
    onError,
  );
  return duplex;
}

module.exports = {
  kCheckChunk,
  newWritableStreamFromStreamWritable,
  newReadableStreamFromStreamReadable,
  newReadableWritablePairFromDuplex,
  newStreamWritableFromWritableStream,
  newStreamReadableFromReadableStream,
  newStreamDuplexFromReadableWritablePair,
};

// natives: none
// Duplex.from(): makes a Duplex out of nearly anything: a stream, a pair of
// streams, an iterable, an (async) generator function, a promise, a Blob.
'use strict';

const {
  AbortError,
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_RETURN_VALUE },
} = require('internal/errors/coded');
const { destroyer } = require('internal/streams/destroy');
const { eos } = require('internal/streams/end_of_stream');
const Duplex = require('internal/streams/duplex');
const Readable = require('internal/streams/readable');
const Writable = require('internal/streams/writable');
const from = require('internal/streams/from');
const {
  isDuplexNodeStream,
  isIterable,
  isNodeStream,
  isReadable,
  isReadableNodeStream,
  isReadableStream,
  isWritable,
  isWritableNodeStream,
  isWritableStream,
} = require('internal/streams/utils');

function isBlob(value) {
  return typeof value?.arrayBuffer === 'function' && value instanceof requireLater('internal/webstreams/blob').Blob;
}

function duplexify(body, name) {
  if (isDuplexNodeStream(body)) return body;
  if (isReadableNodeStream(body)) return joinPair({ readable: body });
  if (isWritableNodeStream(body)) return joinPair({ writable: body });
  if (isNodeStream(body)) return joinPair({ readable: false, writable: false });
  if (isReadableStream(body)) return joinPair({ readable: Readable.fromWeb(body) });
  if (isWritableStream(body)) return joinPair({ writable: Writable.fromWeb(body) });
  if (typeof body === 'function') return fromFunction(body, name);
  if (isBlob(body)) return duplexify(body.arrayBuffer());
  if (isIterable(body)) return from(Duplex, body, { objectMode: true, writable: false });
  if (isReadableStream(body?.readable) && isWritableStream(body?.writable)) return Duplex.fromWeb(body);
  if (typeof body?.readable === 'object' || typeof body?.writable === 'object') return fromPair(body);
  const then = body?.then;
  if (typeof then === 'function') return fromPromise(body, then);
  throw new ERR_INVALID_ARG_TYPE(
    name,
    [
      'Blob',
      'ReadableStream',
      'WritableStream',
      'Stream',
      'Iterable',
      'AsyncIterable',
      'Function',
      '{ readable, writable } pair',
      'Promise',
    ],
    body,
  );
}

function fromPair({ readable, writable }) {
  return joinPair({
    readable: !readable ? undefined : isReadableNodeStream(readable) ? readable : duplexify(readable),
    writable: !writable ? undefined : isWritableNodeStream(writable) ? writable : duplexify(writable),
  });
}

function fromPromise(promise, then) {
  let duplex = null;
  call2(
    then,
    promise,
    (value) => {
      if (value != null) duplex.push(value);
      duplex.push(null);
    },
    (error) => {
      destroyer(duplex, error);
    },
  );
  duplex = new Duplex({ objectMode: true, writable: false, read() {} });
  return duplex;
}

// fn(source): source yields what is written; what fn yields is read.
function fromFunction(fn, name) {
  const source = new WrittenChunks();
  const value = fn(source.chunks(), { signal: source.controller.signal });
  const options = {
    objectMode: true,
    write(chunk, encoding, callback) {
      source.offer({ chunk, done: false, callback });
    },
    final(callback) {
      source.offer({ chunk: undefined, done: true, callback });
    },
    destroy(error, callback) {
      source.abort(error);
      callback(error);
    },
  };
  if (isDuplexNodeStream(value)) return value; // fn was a class of streams
  if (isIterable(value)) return from(Duplex, value, options);
  const then = value?.then;
  if (typeof then === 'function') return fromAsyncSink(value, then, options);
  throw new ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or AsyncFunction', name, value);
}

function fromAsyncSink(value, then, options) {
  let duplex = null;
  const promise = call2(
    then,
    value,
    (result) => {
      if (result != null) throw new ERR_INVALID_RETURN_VALUE('nully', 'body', result);
    },
    (error) => {
      destroyer(duplex, error);
    },
  );
  duplex = new Duplex({
    ...options,
    readable: false,
    final(callback) {
      options.final(async () => {
        try {
          await promise;
          process.nextTick(callback, null);
        } catch (error) {
          process.nextTick(callback, error);
        }
      });
    },
  });
  return duplex;
}

// Hands written chunks one by one to an async generator.
class WrittenChunks {
  constructor() {
    const { AbortController } = require('internal/events/abort');
    this.controller = new AbortController();
    this.next = Promise.withResolvers();
    this.resolve = this.next.resolve;
  }

  async *chunks() {
    const { signal } = this.controller;
    while (true) {
      const { chunk, done, callback } = await this.next.promise;
      process.nextTick(callback);
      if (done) return;
      if (signal.aborted) throw new AbortError(undefined, { cause: signal.reason });
      this.next = Promise.withResolvers();
      this.resolve = this.next.resolve;
      yield chunk;
    }
  }

  offer(item) {
    const resolve = this.resolve;
    this.resolve = null;
    resolve(item);
  }

  // A generator waiting for the next chunk must wake to see the abort.
  abort(error) {
    this.controller.abort(error);
    if (this.resolve !== null) this.offer({ chunk: undefined, done: true, callback() {} });
  }
}

// One Duplex out of a readable and a writable stream, either of which may lack.
function joinPair(pair) {
  const readable = pair.readable && typeof pair.readable.read !== 'function' ? Readable.wrap(pair.readable) : pair.readable;
  return new JoinedPair(readable, pair.writable).duplex;
}

class JoinedPair {
  constructor(readable, writable) {
    this.readable = readable;
    this.writable = writable;
    this.onDrain = null;
    this.onFinish = null;
    this.onReadable = null;
    this.onClose = undefined; // null once one of the two has ended
    const canRead = !!isReadable(readable);
    const canWrite = !!isWritable(writable);
    this.duplex = new Duplex({
      readableObjectMode: !!readable?.readableObjectMode,
      writableObjectMode: !!writable?.writableObjectMode,
      readable: canRead,
      writable: canWrite,
    });
    if (canWrite) this.setUpWriting(this.duplex, writable);
    if (canRead) this.setUpReading(this.duplex, readable);
    this.duplex._destroy = (error, callback) => {
      this.destroy(error, callback);
    };
  }

  release(name) {
    const callback = this[name];
    this[name] = null;
    if (callback) callback();
  }

  halfDone(other, error) {
    if (error) destroyer(other, error);
    const callback = this.onClose;
    this.onClose = null;
    if (callback) callback(error);
    else if (error) this.duplex.destroy(error);
  }

  setUpWriting(duplex, writable) {
    eos(writable, (error) => {
      this.halfDone(this.readable, error);
    });
    duplex._write = (chunk, encoding, callback) => {
      if (writable.write(chunk, encoding)) callback();
      else this.onDrain = callback;
    };
    duplex._final = (callback) => {
      writable.end();
      this.onFinish = callback;
    };
    writable.on('drain', () => {
      this.release('onDrain');
    });
    writable.on('finish', () => {
      this.release('onFinish');
    });
  }

  setUpReading(duplex, readable) {
    eos(readable, (error) => {
      this.halfDone(this.writable, error);
    });
    readable.on('readable', () => {
      this.release('onReadable');
    });
    readable.on('end', () => {
      duplex.push(null);
    });
    duplex._read = () => {
      let chunk;
      do {
        chunk = readable.read();
        if (chunk === null) {
          this.onReadable = duplex._read;
          return;
        }
      } while (duplex.push(chunk));
    };
  }

  destroy(error, callback) {
    if (!error && this.onClose !== null) error = new AbortError();
    this.onReadable = null;
    this.onDrain = null;
    this.onFinish = null;
    if (this.onClose === null) {
      callback(error);
    } else {
      this.onClose = callback;
      destroyer(this.writable, error);
      destroyer(this.readable, error);
    }
  }
}

module.exports = duplexify;

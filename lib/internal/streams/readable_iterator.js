// natives: none
// Readable as a source for others: async iteration (`for await`), wrap() for
// streams of the first generation, compose(), from(), and the web adapters.
// Loaded by readable.js; what is rarely used is required on first call.
'use strict';

const { aggregateTwoErrors, codes } = require('internal/errors/coded');
const { validateAbortSignal, validateObject } = require('internal/util/validators');
const { destroyer, errorOrDestroy } = require('internal/streams/destroy');

function nop() {}

function iterate(Readable, stream, options) {
  if (typeof stream.read !== 'function') stream = Readable.wrap(stream, { objectMode: true });
  const iterator = chunksOf(stream, options);
  iterator.stream = stream;
  return iterator;
}

async function* chunksOf(stream, options) {
  const { eos } = require('internal/streams/end_of_stream');
  let wake = nop;
  // undefined: still going; null: ended well; else what went wrong.
  let outcome;

  // Both the 'readable' listener and a promise's executor.
  function onReadable(resolve) {
    if (this === stream) {
      wake();
      wake = nop;
    } else {
      wake = resolve;
    }
  }
  stream.on('readable', onReadable);
  const cleanup = eos(stream, { writable: false }, (error) => {
    outcome = error ? aggregateTwoErrors(outcome, error) : null;
    wake();
    wake = nop;
  });

  try {
    while (true) {
      const chunk = stream.destroyed ? null : stream.read();
      if (chunk !== null) yield chunk;
      else if (outcome) throw outcome;
      else if (outcome === null) return;
      else await new Promise(onReadable);
    }
  } catch (error) {
    outcome = aggregateTwoErrors(outcome, error);
    throw outcome;
  } finally {
    const staysHalfOpen = outcome === null && stream.allowHalfOpen === true && stream.writable === true && stream.writableEnded !== true;
    const destroys = (outcome || options?.destroyOnReturn !== false) && (outcome === undefined || stream._readableState.autoDestroy);
    if (destroys && !staysHalfOpen) {
      destroyer(stream, null);
    } else {
      stream.off('readable', onReadable);
      cleanup();
    }
  }
}

function wrapInto(readable, old) {
  let paused = false;
  old.on('data', (chunk) => {
    if (!readable.push(chunk) && old.pause) {
      paused = true;
      old.pause();
    }
  });
  old.on('end', () => {
    readable.push(null);
  });
  old.on('error', (error) => {
    errorOrDestroy(readable, error);
  });
  old.on('close', () => {
    readable.destroy();
  });
  old.on('destroy', () => {
    readable.destroy();
  });
  readable._read = () => {
    if (paused && old.resume) {
      paused = false;
      old.resume();
    }
  };
  // Methods the old stream has and we lack stay reachable.
  for (const key of each(Object.keys(old))) {
    if (readable[key] === undefined && typeof old[key] === 'function') {
      readable[key] = functionBind.call(old[key], old);
    }
  }
  return readable;
}

function install(Readable) {
  const proto = Readable.prototype;
  proto.wrap = function (stream) {
    return wrapInto(this, stream);
  };
  proto[Symbol.asyncIterator] = function () {
    return iterate(Readable, this);
  };
  proto.iterator = function (options) {
    if (options !== undefined) validateObject(options, 'options');
    return iterate(Readable, this, options);
  };
  proto.compose = function compose(stream, options) {
    if (options != null) validateObject(options, 'options');
    if (options?.signal != null) validateAbortSignal(options.signal, 'options.signal');
    const composed = require('internal/streams/compose')(this, stream);
    if (options?.signal) {
      require('internal/streams/add_abort_signal').addAbortSignalNoValidate(options.signal, composed);
    }
    return composed;
  };

  // The protocol of node:stream/iter, which has to be asked for.
  proto[Symbol.for('Stream.toAsyncStreamable')] = function () {
    if (!requireLater('internal/process/options').getOptionValue('--experimental-stream-iter'))
      throw new codes.ERR_STREAM_ITER_MISSING_FLAG();
    return require('internal/streams/iter/classic').batchesOf(this);
  };

  Readable.from = function (iterable, options) {
    return require('internal/streams/from')(Readable, iterable, options);
  };
  Readable.fromWeb = function (readableStream, options) {
    return requireLater('internal/webstreams/adapters').newStreamReadableFromReadableStream(readableStream, options);
  };
  Readable.toWeb = function (readable, options) {
    return requireLater('internal/webstreams/adapters').newReadableStreamFromStreamReadable(readable, options);
  };
  Readable.wrap = function (source, options) {
    return new Readable({
      objectMode: source.readableObjectMode ?? source.objectMode ?? true,
      ...options,
      destroy(error, callback) {
        destroyer(source, error);
        callback(error);
      },
    }).wrap(source);
  };
}

module.exports = { install };

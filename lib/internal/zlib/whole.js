// natives: none
// gzipSync(data, options) and gzip(data, options, callback), and the same for every other kind: all in one go, on the spot or as
// one job of the thread pool. A stream is made only for { info: true }, whose answer has one.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_TRAILING_JUNK_AFTER_STREAM_END },
} = require('internal/errors/coded');
const { validateFunction } = require('internal/util/validators');
const { isAnyArrayBuffer } = require('internal/util/types');
const { errorFor, settingsFor } = require('internal/zlib/settings');

function bytesOf(data) {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data) || isAnyArrayBuffer(data) ? data : undefined;
}

// The output, or an error.
function judged(result, settings, options, sizes) {
  if (Array.isArray(result)) return errorFor(result, settings.maxOutputLength);
  if (sizes[1] > 0 && options?.rejectGarbageAfterEnd === true) return new ERR_TRAILING_JUNK_AFTER_STREAM_END();
  return result;
}

// The stream that seems to have done it: closed.
function engineFor(Class, options, bytesWritten) {
  const engine = new Class(options);
  engine.bytesWritten = bytesWritten;
  engine._handle.close();
  engine._handle = null;
  return engine;
}

function makeSync(Class, mode) {
  return function syncBufferWrapper(data, options) {
    const bytes = bytesOf(data);
    if (bytes === undefined) {
      throw new ERR_INVALID_ARG_TYPE('buffer', ['string', 'Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], data);
    }
    const settings = settingsFor(options, mode, false);
    const sizes = new Float64Array(2);
    const { chunkSize, finishFlush, maxOutputLength } = settings;
    const result = judged(
      settings.native.allSync(finishFlush, bytes, chunkSize, maxOutputLength, sizes, bytes.byteLength),
      settings,
      options,
      sizes,
    );
    settings.native.close();
    if (result instanceof Error) throw result;
    if (!options?.info) return result;
    return { buffer: result, engine: engineFor(Class, options, bytes.byteLength - sizes[1]) };
  };
}

function makeAsync(Class, mode) {
  return function asyncBufferWrapper(data, options, callback) {
    if (typeof options === 'function') {
      callback = options;
      options = {};
    }
    const settings = settingsFor(options, mode, false);
    validateFunction(callback, 'callback');
    const bytes = bytesOf(data ?? '');
    if (bytes === undefined) throw new ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
    const sizes = new Float64Array(2);
    const { chunkSize, finishFlush, maxOutputLength } = settings;
    settings.native.all(finishFlush, bytes, chunkSize, maxOutputLength, sizes, bytes.byteLength, (answer) => {
      settings.native.close();
      const result = judged(answer, settings, options, sizes);
      if (result instanceof Error) {
        callback(result);
      } else if (options?.info) {
        const engine = engineFor(Class, options, bytes.byteLength - sizes[1]);
        engine.destroy();
        callback(null, { buffer: result, engine });
      } else {
        callback(null, result);
      }
    });
  };
}

module.exports = { makeAsync, makeSync };

// natives: none
// CompressionStream and DecompressionStream, over the streams of node:zlib: their work is on the thread pool, and a slow reader
// holds back the writer.
// https://compression.spec.whatwg.org/
'use strict';

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_THIS },
} = require('internal/errors/coded');
const { isSharedArrayBuffer } = require('internal/util/types');
const { kCheckChunk, newReadableWritablePairFromDuplex } = require('internal/webstreams/adapters');
const { inspectAs, finishInterface, kInspect } = require('internal/webstreams/shared');

// [compression, decompression] of each format
const classes = {
  __proto__: null,
  deflate: ['Deflate', 'Inflate'],
  'deflate-raw': ['DeflateRaw', 'InflateRaw'],
  gzip: ['Gzip', 'Gunzip'],
  brotli: ['BrotliCompress', 'BrotliDecompress'],
};

function checkChunk(chunk) {
  if (isSharedArrayBuffer(ArrayBuffer.isView(chunk) ? chunk.buffer : chunk)) {
    throw new ERR_INVALID_ARG_TYPE('chunk', ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], chunk);
  }
}

function pairFor(interfaceName, format, which, options) {
  const name = `${format}`;
  if (classes[name] === undefined) {
    const error = new ERR_INVALID_ARG_VALUE('format', name);
    error.message =
      `Failed to construct '${interfaceName}': 1st argument '${name}' is not a valid enum value of type ` + 'CompressionFormat.';
    throw error;
  }
  const Class = requireLater('internal/zlib/stream')[classes[name][which]];
  return newReadableWritablePairFromDuplex(new Class(options), { [kCheckChunk]: checkChunk });
}

class CompressionStream {
  #pair;

  constructor(format) {
    this.#pair = pairFor('CompressionStream', format, 0);
  }
  get readable() {
    return this.#pair.readable;
  }
  get writable() {
    return this.#pair.writable;
  }

  [kInspect](depth, options, inspect) {
    if (this == null) throw new ERR_INVALID_THIS('CompressionStream');
    const { readable, writable } = this;
    return inspectAs(this, depth, options, inspect, 'CompressionStream', { readable, writable });
  }
}
finishInterface(CompressionStream, ['readable', 'writable']);

class DecompressionStream {
  #pair;

  constructor(format) {
    this.#pair = pairFor('DecompressionStream', format, 1, { rejectGarbageAfterEnd: true });
  }
  get readable() {
    return this.#pair.readable;
  }
  get writable() {
    return this.#pair.writable;
  }

  [kInspect](depth, options, inspect) {
    if (this == null) throw new ERR_INVALID_THIS('DecompressionStream');
    const { readable, writable } = this;
    return inspectAs(this, depth, options, inspect, 'DecompressionStream', { readable, writable });
  }
}
finishInterface(DecompressionStream, ['readable', 'writable']);

module.exports = { CompressionStream, DecompressionStream };

// natives: none
//
// node:zlib/iter: compression as transforms of node:stream/iter. Only with --experimental-stream-iter. Defaults are those of servers:
// level 4, quality 6.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { validateObject } = require('internal/util/validators');
const { constants } = require('internal/zlib/constants');
const zlib = require('internal/zlib/zlib');

const kChunkSize = 65536;
const zlibDefaults = { level: 4, memLevel: 9 };
const brotliDefaults = { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_LGWIN]: 20 };
const none = { __proto__: null };

// A codec's output for its input, as a batch.
async function* run(codec, source, signal) {
  let batch = [];
  let failure;
  codec.on('data', (chunk) => {
    arrayPush.call(batch, chunk);
  });
  const take = () => {
    const taken = batch;
    batch = [];
    return taken;
  };
  const ended = new Promise((resolve, reject) => {
    codec.on('end', resolve);
    codec.on('error', (error) => {
      failure = { error };
      reject(error);
    });
  });
  // Its rejection is seen below, or too late to matter.
  promiseThen(ended, undefined, () => {});
  try {
    // the program's: an iterable of its own
    for await (const chunks of source) {
      signal?.throwIfAborted();
      if (chunks === null) continue;
      for (const chunk of each(chunks)) {
        await new Promise((resolve, reject) => {
          promiseThen(ended, undefined, reject);
          codec.write(chunk, (error) => (error ? reject(error) : resolve()));
        });
        if (failure !== undefined) throw failure.error;
      }
      if (batch.length > 0) yield take();
    }
    codec.end();
    await ended;
    if (batch.length > 0) yield take();
  } finally {
    codec.destroy();
  }
}

function* runSync(codec, source, noFlush, finish) {
  try {
    // the program's: an iterable of its own
    for (const chunks of source) {
      if (chunks === null) continue;
      for (const chunk of each(chunks)) {
        const made = codec.step(chunk, noFlush);
        if (made.length > 0) yield [made];
      }
    }
    const made = codec.step(new Uint8Array(0), finish);
    if (made.length > 0) yield [made];
  } finally {
    codec.close();
  }
}

// A codec that is turned on the spot. A stream of zlib's closes itself after such a turn; its handle is used instead.
class SyncCodec {
  #stream;
  #output;
  #failure;

  constructor(stream, chunkSize) {
    this.#stream = stream;
    this.#output = new Uint8Array(chunkSize);
    stream.on('error', (error) => {
      this.#failure ??= error;
    });
    stream._handle.onerror = (failure) => {
      const [message, errno, code] = each(failure);
      const error = new Error(message);
      error.errno = errno;
      error.code = code;
      this.#failure ??= error;
    };
  }

  step(chunk, flush) {
    const parts = [];
    let size = 0;
    let offset = 0;
    let left = chunk.byteLength;
    for (;;) {
      this.#stream._handle.writeSync(flush, chunk, offset, left, this.#output, 0, this.#output.length);
      if (this.#failure !== undefined) throw this.#failure;
      const { 0: roomLeft, 1: inputLeft } = this.#stream._writeState;
      const made = this.#output.length - roomLeft;
      if (made > 0) arrayPush.call(parts, Buffer.from(bytesSubarray.call(this.#output, 0, made)));
      size += made;
      offset += left - inputLeft;
      left = inputLeft;
      if (roomLeft !== 0) break;
    }
    return parts.length === 1 ? parts[0] : Buffer.concat(parts, size);
  }

  close() {
    this.#stream.close();
  }
}

function optionsOf(given, defaults, isBrotli) {
  validateObject(given, 'options');
  if (!isBrotli) return { chunkSize: kChunkSize, ...defaults, ...given };
  const { params } = given;
  // A value that is no object is refused by the codec.
  const merged = params === undefined || (typeof params === 'object' && params !== null) ? { ...defaults, ...params } : params;
  return { chunkSize: kChunkSize, ...given, params: merged };
}

// name → [class, defaults, whether they are Brotli's parameters, the flush of a chunk, that of the end]
const { BROTLI_OPERATION_FINISH, BROTLI_OPERATION_PROCESS, Z_FINISH, Z_NO_FLUSH, ZSTD_e_continue, ZSTD_e_end } = constants;
const kinds = {
  __proto__: null,
  compressGzip: [zlib.Gzip, zlibDefaults, false, Z_NO_FLUSH, Z_FINISH],
  compressDeflate: [zlib.Deflate, zlibDefaults, false, Z_NO_FLUSH, Z_FINISH],
  compressBrotli: [zlib.BrotliCompress, brotliDefaults, true, BROTLI_OPERATION_PROCESS, BROTLI_OPERATION_FINISH],
  compressZstd: [zlib.ZstdCompress, none, false, ZSTD_e_continue, ZSTD_e_end],
  decompressGzip: [zlib.Gunzip, none, false, Z_NO_FLUSH, Z_FINISH],
  decompressDeflate: [zlib.Inflate, none, false, Z_NO_FLUSH, Z_FINISH],
  decompressBrotli: [zlib.BrotliDecompress, none, true, BROTLI_OPERATION_PROCESS, BROTLI_OPERATION_FINISH],
  decompressZstd: [zlib.ZstdDecompress, none, false, ZSTD_e_continue, ZSTD_e_end],
};

for (const name of each(Object.keys(kinds))) {
  const [Class, defaults, isBrotli, noFlush, finish] = each(kinds[name]);
  const checked = (options) => optionsOf(options, defaults, isBrotli);
  module.exports[name] = (options = none) => {
    const settings = checked(options);
    return { __proto__: null, transform: (source, { signal } = none) => run(new Class(settings), source, signal) };
  };
  module.exports[`${name}Sync`] = (options = none) => {
    const settings = checked(options);
    return {
      __proto__: null,
      transform: (source) => runSync(new SyncCodec(new Class(settings), settings.chunkSize), source, noFlush, finish),
    };
  };
}

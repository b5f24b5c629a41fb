// natives: zlib
//
// node:zlib: deflate, gzip, Brotli and Zstandard, as streams, in one go, and on the spot. Not here: ZIP archives.

'use strict';

const binding = native('zlib');
const { Buffer } = require('internal/buffer/buffer');
const {
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');
const { validateUint32 } = require('internal/util/validators');
const { codes, constants } = require('internal/zlib/constants');
const streams = require('internal/zlib/stream');
const { makeAsync, makeSync } = require('internal/zlib/whole');

function crc32(data, value = 0) {
  if (typeof data !== 'string' && !ArrayBuffer.isView(data)) {
    throw new ERR_INVALID_ARG_TYPE('data', ['Buffer', 'TypedArray', 'DataView', 'string'], data);
  }
  validateUint32(value, 'value');
  return binding.crc32(typeof data === 'string' ? Buffer.from(data) : data, value);
}

const kinds = [
  ['deflate', 'Deflate', constants.DEFLATE],
  ['gzip', 'Gzip', constants.GZIP],
  ['deflateRaw', 'DeflateRaw', constants.DEFLATERAW],
  ['unzip', 'Unzip', constants.UNZIP],
  ['inflate', 'Inflate', constants.INFLATE],
  ['gunzip', 'Gunzip', constants.GUNZIP],
  ['inflateRaw', 'InflateRaw', constants.INFLATERAW],
  ['brotliCompress', 'BrotliCompress', constants.BROTLI_ENCODE],
  ['brotliDecompress', 'BrotliDecompress', constants.BROTLI_DECODE],
  ['zstdCompress', 'ZstdCompress', constants.ZSTD_COMPRESS],
  ['zstdDecompress', 'ZstdDecompress', constants.ZSTD_DECOMPRESS],
];

module.exports = { crc32, ...streams };
for (const [name, className, mode] of eachEntry(kinds)) {
  const Class = streams[className];
  module.exports[name] = makeAsync(Class, mode);
  module.exports[`${name}Sync`] = makeSync(Class, mode);
  // A function, not a method: `new zlib.createGzip()` is an old habit of programs.
  const create = {
    [`create${className}`]: function (options) {
      return new Class(options);
    },
  };
  Object.defineProperty(module.exports, `create${className}`, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    value: create[`create${className}`],
  });
}
Object.defineProperties(module.exports, {
  constants: { __proto__: null, enumerable: true, value: constants },
  codes: { __proto__: null, enumerable: true, value: codes },
});
// As properties of the module they are deprecated, Brotli's never were.
for (const name of each(Object.keys(constants))) {
  if (!stringStartsWith.call(name, 'BROTLI')) Object.defineProperty(module.exports, name, { __proto__: null, value: constants[name] });
}

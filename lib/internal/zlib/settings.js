// natives: zlib
// Options of a compression: checks them and makes the native codec. Used by streams and by gzipSync and its like,
// which need no stream.
'use strict';

const binding = native('zlib');
const { Buffer, kMaxLength } = require('internal/buffer/buffer');
const {
  codes: {
    ERR_BROTLI_INVALID_PARAM,
    ERR_BUFFER_TOO_LARGE,
    ERR_INVALID_ARG_TYPE,
    ERR_OUT_OF_RANGE,
    ERR_ZLIB_INITIALIZATION_FAILED,
    ERR_ZSTD_INVALID_PARAM,
  },
} = require('internal/errors/coded');
const { checkRangesOrGetDefault, validateBoolean, validateFiniteNumber } = require('internal/util/validators');
const { isAnyArrayBuffer } = require('internal/util/types');
const { constants } = require('internal/zlib/constants');

const { DEFLATERAW, INFLATE, GZIP, GUNZIP, UNZIP, BROTLI_DECODE, BROTLI_ENCODE, ZSTD_COMPRESS, ZSTD_DECOMPRESS } = constants;

// The numbers by which each library flushes, and their bounds.
const kZlib = {
  flush: constants.Z_NO_FLUSH,
  finishFlush: constants.Z_FINISH,
  fullFlush: constants.Z_FULL_FLUSH,
  most: constants.Z_BLOCK,
  index: 0,
};
const kBrotli = {
  flush: constants.BROTLI_OPERATION_PROCESS,
  finishFlush: constants.BROTLI_OPERATION_FINISH,
  fullFlush: constants.BROTLI_OPERATION_FLUSH,
  most: constants.BROTLI_OPERATION_EMIT_METADATA,
  index: 1,
};
const kZstd = {
  flush: constants.ZSTD_e_continue,
  finishFlush: constants.ZSTD_e_end,
  fullFlush: constants.ZSTD_e_flush,
  most: constants.ZSTD_e_end,
  index: 2,
};
const families = [kZlib, kBrotli, kZstd];

const kMostBrotliKey = Math.max(constants.BROTLI_PARAM_NDIRECT, constants.BROTLI_DECODER_PARAM_LARGE_WINDOW);
const kMostZstdKeys = { [ZSTD_COMPRESS]: constants.ZSTD_c_overlapLog, [ZSTD_DECOMPRESS]: constants.ZSTD_d_windowLogMax };

// The codec's failure as an error. `limit`: of the output.
function errorFor(failure, limit) {
  const [message, errno, code] = each(failure);
  if (code === 'ERR_BUFFER_TOO_LARGE') return new ERR_BUFFER_TOO_LARGE(limit);
  const error = new Error(message);
  error.errno = errno;
  error.code = code;
  return error;
}

// An error of this code, with other words than its own.
function worded(Class, message, ...args) {
  const error = new Class('options', ...each(args));
  error.message = message;
  return error;
}

function checkedDictionary(dictionary) {
  if (dictionary === undefined || ArrayBuffer.isView(dictionary)) return dictionary;
  if (isAnyArrayBuffer(dictionary)) return Buffer.from(dictionary);
  throw new ERR_INVALID_ARG_TYPE('options.dictionary', ['Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], dictionary);
}

// { key: value } as [key, value, key, value …]
function checkedParams(params, most, Invalid) {
  if (!params) return undefined;
  const pairs = [];
  const seen = new Set();
  for (const name of each(Object.keys(params))) {
    const key = +name;
    if (!(key >= 0 && key <= most) || seen.has(key)) throw new Invalid(name);
    seen.add(key);
    const value = params[name];
    if (typeof value !== 'number' && typeof value !== 'boolean') {
      throw new ERR_INVALID_ARG_TYPE('options.params[key]', 'number', value);
    }
    arrayPush.call(pairs, key, +value);
  }
  return new Float64Array(pairs);
}

function pledgedSize(size) {
  if (size === undefined) return undefined;
  if (typeof size !== 'number') throw worded(ERR_INVALID_ARG_TYPE, 'pledgedSrcSize must be a number', 'number', size);
  if (!Number.isSafeInteger(size)) throw worded(ERR_OUT_OF_RANGE, 'pledgedSrcSize must be a safe integer', 'an integer', size);
  if (size < 0) throw worded(ERR_OUT_OF_RANGE, 'pledgedSrcSize must be non-negative', '>= 0', size);
  return size;
}

// `made` is a codec, or what went wrong.
function checkedCodec(made, message = 'Initialization failed') {
  if (!Array.isArray(made)) return made;
  const error = new ERR_ZLIB_INITIALIZATION_FAILED();
  error.message = message;
  throw error;
}

function makeZlib(options, mode, isStream) {
  const settings = {
    windowBits: constants.Z_DEFAULT_WINDOWBITS,
    level: constants.Z_DEFAULT_COMPRESSION,
    memLevel: constants.Z_DEFAULT_MEMLEVEL,
    strategy: constants.Z_DEFAULT_STRATEGY,
  };
  let dictionary;
  if (options) {
    const { windowBits } = options;
    // 0: what the header of the data says.
    if ((windowBits == null || windowBits === 0) && (mode === INFLATE || mode === GUNZIP || mode === UNZIP)) {
      settings.windowBits = 0;
    } else {
      const least = constants.Z_MIN_WINDOWBITS + (mode === GZIP ? 1 : 0);
      settings.windowBits = checkRangesOrGetDefault(
        windowBits,
        'options.windowBits',
        least,
        constants.Z_MAX_WINDOWBITS,
        constants.Z_DEFAULT_WINDOWBITS,
      );
    }
    settings.level = checkRangesOrGetDefault(
      options.level,
      'options.level',
      constants.Z_MIN_LEVEL,
      constants.Z_MAX_LEVEL,
      constants.Z_DEFAULT_COMPRESSION,
    );
    settings.memLevel = checkRangesOrGetDefault(
      options.memLevel,
      'options.memLevel',
      constants.Z_MIN_MEMLEVEL,
      constants.Z_MAX_MEMLEVEL,
      constants.Z_DEFAULT_MEMLEVEL,
    );
    settings.strategy = checkRangesOrGetDefault(
      options.strategy,
      'options.strategy',
      constants.Z_DEFAULT_STRATEGY,
      constants.Z_FIXED,
      constants.Z_DEFAULT_STRATEGY,
    );
    dictionary = checkedDictionary(options.dictionary);
    // zlib knows no window of 256 bytes without a header.
    if (mode === DEFLATERAW && settings.windowBits === constants.Z_MIN_WINDOWBITS) settings.windowBits++;
  }
  settings.native = binding.newZlib(
    isStream,
    mode,
    settings.windowBits,
    settings.level,
    settings.memLevel,
    settings.strategy,
    dictionary,
    options?.rejectGarbageAfterEnd === true,
  );
  return settings;
}

function makeBrotli(options, mode, isStream) {
  const params = checkedParams(options?.params, kMostBrotliKey, ERR_BROTLI_INVALID_PARAM);
  if (checkedDictionary(options?.dictionary) !== undefined) {
    checkedCodec([], 'Initialization failed: this Brotli library has no dictionaries');
  }
  return { native: checkedCodec(binding.newBrotli(isStream, mode, params)) };
}

function makeZstd(options, mode, isStream) {
  const params = checkedParams(options?.params, kMostZstdKeys[mode], ERR_ZSTD_INVALID_PARAM);
  const dictionary = checkedDictionary(options?.dictionary);
  const made = binding.newZstd(isStream, mode, params, pledgedSize(options?.pledgedSrcSize), dictionary);
  return { native: checkedCodec(made, made[0]) };
}

// The codec, and what all of them share: { native, chunkSize, flush, finishFlush, maxOutputLength, …, level, strategy }.
function settingsFor(options, mode, isStream) {
  const family = families[mode === BROTLI_DECODE || mode === BROTLI_ENCODE ? 1 : mode >= ZSTD_COMPRESS ? 2 : 0];
  const make = family === kZlib ? makeZlib : family === kBrotli ? makeBrotli : makeZstd;
  const settings = make(options, mode, isStream);
  settings.family = family;
  settings.chunkSize = constants.Z_DEFAULT_CHUNK;
  settings.flush = family.flush;
  settings.finishFlush = family.finishFlush;
  settings.maxOutputLength = kMaxLength;
  if (!options) return settings;
  const { chunkSize } = options;
  if (validateFiniteNumber(chunkSize, 'options.chunkSize')) {
    if (chunkSize < constants.Z_MIN_CHUNK) {
      throw new ERR_OUT_OF_RANGE('options.chunkSize', `>= ${constants.Z_MIN_CHUNK}`, chunkSize);
    }
    settings.chunkSize = chunkSize;
  }
  settings.flush = checkRangesOrGetDefault(options.flush, 'options.flush', 0, family.most, family.flush);
  settings.finishFlush = checkRangesOrGetDefault(options.finishFlush, 'options.finishFlush', 0, family.most, family.finishFlush);
  settings.maxOutputLength = checkRangesOrGetDefault(options.maxOutputLength, 'options.maxOutputLength', 1, kMaxLength, kMaxLength);
  if (options.rejectGarbageAfterEnd !== undefined) {
    validateBoolean(options.rejectGarbageAfterEnd, 'options.rejectGarbageAfterEnd');
  }
  return settings;
}

module.exports = { errorFor, families, settingsFor };

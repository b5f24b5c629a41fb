// natives: fs
//
// Whole files in one native operation: readFile, writeFile, appendFile, in the
// sync and callback forms. Open, read or write, and close happen below, without
// coming back to JavaScript in between.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const binding = native('fs');
const { O_RDONLY } = binding.constants;
const { AbortError, codes } = require('internal/errors/coded');
const { validateBoolean, validateFunction, isInt32 } = require('internal/util/validators');
const {
  copyObject,
  getOptions,
  getValidatedFd,
  getValidatedPath,
  parseFileMode,
  stringToFlags,
  toBuffer,
  validateStringAfterArrayBufferView,
} = require('internal/fs/utils');

const readDefaults = Object.freeze({ flag: 'r' });
const writeDefaults = Object.freeze({ encoding: 'utf8', mode: 0o666, flag: 'w', flush: false });

function isUtf8(encoding) {
  return encoding === 'utf8' || encoding === 'utf-8';
}

binding.onTooLarge((size) => new codes.ERR_FS_FILE_TOO_LARGE(size));

// `options.buffer`: read into memory the caller brings, or makes when told the size.
function checkUserBuffer({ buffer }) {
  if (buffer === undefined || typeof buffer === 'function' || ArrayBuffer.isView(buffer)) return;
  throw new codes.ERR_INVALID_ARG_TYPE('options.buffer', ['Buffer', 'TypedArray', 'DataView', 'Function'], buffer);
}

function intoUserBuffer(data, { buffer, encoding }) {
  const isMaker = typeof buffer === 'function';
  const target = isMaker ? buffer(data.byteLength) : buffer;
  if (!ArrayBuffer.isView(target)) {
    throw new codes.ERR_INVALID_RETURN_VALUE('a Buffer, TypedArray, or DataView', 'options.buffer', target);
  }
  if (target.byteLength < data.byteLength) {
    throw new codes.ERR_INVALID_ARG_VALUE(
      isMaker ? 'options.buffer() return value' : 'options.buffer.byteLength',
      target.byteLength,
      'is too small to contain the entire file',
    );
  }
  const view = Buffer.from(target.buffer, target.byteOffset, target.byteLength);
  bytesSet.call(view, data);
  const filled = bytesSubarray.call(view, 0, data.byteLength);
  return encoding && encoding !== 'buffer' ? filled.toString(encoding) : filled;
}

// The native half's result: text or bytes.
function finishRead(raw, options) {
  if (typeof raw === 'string') return raw;
  if (options.buffer !== undefined) return intoUserBuffer(raw, options);
  const data = toBuffer(raw);
  const { encoding } = options;
  return encoding && encoding !== 'buffer' ? data.toString(encoding) : data;
}

const kNoDescriptor = 2 ** 31 - 1;

// A descriptor or a path. A number that is no descriptor is an error of the operation itself.
function source(path) {
  return isInt32(path) ? (path >= 0 ? path : kNoDescriptor) : getValidatedPath(path);
}

// The synchronous forms tell at once.
function sourceSync(path) {
  if (path < 0 && isInt32(path)) getValidatedFd(path);
  return source(path);
}

// The native half makes Buffers once Buffer.prototype is there, which a program that never said Buffer has not loaded.
let areBuffersReady = false;
function prepareBuffers() {
  require('internal/buffer/buffer');
  areBuffersReady = true;
}

function readFileSync(path, options) {
  if (!areBuffersReady && options !== 'utf8') prepareBuffers();
  if (options === undefined || options === 'utf8') return binding.readFile(sourceSync(path), O_RDONLY, options !== undefined);
  options = getOptions(options, readDefaults);
  checkUserBuffer(options);
  const asText = isUtf8(options.encoding) && options.buffer === undefined;
  const raw = binding.readFile(sourceSync(path), stringToFlags(options.flag), asText);
  return finishRead(raw, options);
}

function abortError(signal) {
  return new AbortError(undefined, { cause: signal.reason });
}

function readFile(path, options, callback) {
  if (!areBuffersReady && options !== 'utf8') prepareBuffers();
  if (callback === undefined && typeof options === 'function') {
    binding.readFile(source(path), O_RDONLY, false, options);
    return;
  }
  callback ||= options;
  validateFunction(callback, 'cb');
  options = getOptions(options, readDefaults);
  checkUserBuffer(options);
  const { signal } = options;
  const from = source(path);
  if (signal?.aborted && typeof from !== 'number') {
    callback(abortError(signal));
    return;
  }
  const flags = stringToFlags(options.flag, 'options.flag');
  const asText = isUtf8(options.encoding) && options.buffer === undefined;
  if (asText && !signal) {
    binding.readFile(from, flags, true, callback);
    return;
  }
  binding.readFile(from, flags, asText, (error, raw) => {
    let data;
    try {
      if (error) throw error;
      if (signal?.aborted) throw abortError(signal);
      data = finishRead(raw, options);
    } catch (failure) {
      callback(failure);
      return;
    }
    callback(null, data);
  });
}

// The data to write: text for the native half to encode, or bytes.
function payload(data, encoding) {
  if (ArrayBuffer.isView(data)) return data;
  validateStringAfterArrayBufferView(data, 'data');
  return encoding === undefined || encoding === null || isUtf8(encoding) ? data : Buffer.from(data, encoding);
}

function writeArguments(options, defaults) {
  options = getOptions(options, defaults);
  const flush = options.flush ?? false;
  validateBoolean(flush, 'options.flush');
  const mode = parseFileMode(options.mode, 'mode', 0o666);
  return { options, flush, mode };
}

function writeFileSync(path, data, given) {
  const { options, flush, mode } = writeArguments(given, writeDefaults);
  const bytes = payload(data, options.encoding);
  const flags = stringToFlags(options.flag || 'w');
  const to = sourceSync(path);
  if (flush) writeAndFlushSync(to, bytes, flags, mode);
  else binding.writeFile(to, bytes, flags, mode, false);
}

// Flushing goes through fs.fsync, where programs and tests can see it.
function writeAndFlushSync(to, bytes, flags, mode) {
  const fs = require('internal/fs/fs');
  const fd = typeof to === 'number' ? to : fs.openSync(to, flags, mode);
  try {
    binding.writeFile(fd, bytes, flags, mode, false);
    fs.fsyncSync(fd);
  } finally {
    if (fd !== to) fs.closeSync(fd);
  }
}

function writeAndFlush(to, bytes, flags, mode, callback) {
  const fs = require('internal/fs/fs');
  const use = (fd, done) => binding.writeFile(fd, bytes, flags, mode, false, (error) => (error ? done(error) : fs.fsync(fd, done)));
  if (typeof to === 'number') {
    use(to, callback);
    return;
  }
  fs.open(to, flags, mode, (openError, fd) => {
    if (openError) callback(openError);
    else use(fd, (error) => fs.close(fd, (closeError) => callback(error ?? closeError ?? null)));
  });
}

function writeFile(path, data, given, callback) {
  callback ||= given;
  validateFunction(callback, 'cb');
  const { options, flush, mode } = writeArguments(typeof given === 'function' ? null : given, writeDefaults);
  const bytes = payload(data, options.encoding);
  const flags = stringToFlags(options.flag || 'w', 'options.flag');
  const { signal } = options;
  const to = isInt32(path) ? getValidatedFd(path) : source(path);
  if (signal?.aborted) {
    const error = abortError(signal);
    if (typeof to === 'number') process.nextTick(callback, error);
    else callback(error);
    return;
  }
  if (flush) {
    writeAndFlush(to, bytes, flags, mode, callback);
    return;
  }
  if (signal === undefined || signal === null) {
    binding.writeFile(to, bytes, flags, mode, flush, callback);
    return;
  }
  binding.writeFile(to, bytes, flags, mode, flush, (error) => callback(error ?? (signal.aborted ? abortError(signal) : null)));
}

const appendDefaults = Object.freeze({ encoding: 'utf8', mode: 0o666, flag: 'a' });

// Options are copied: a flag we add must not show in the caller's object.
function appendOptions(path, options) {
  const own = copyObject(getOptions(options, appendDefaults));
  if (!own.flag || isInt32(path)) own.flag = 'a';
  return own;
}

function appendFile(path, data, options, callback) {
  callback ||= options;
  validateFunction(callback, 'cb');
  require('internal/fs/fs').writeFile(path, data, appendOptions(path, typeof options === 'function' ? undefined : options), callback);
}

function appendFileSync(path, data, options) {
  require('internal/fs/fs').writeFileSync(path, data, appendOptions(path, options));
}

module.exports = { readFileSync, readFile, writeFileSync, writeFile, appendFile, appendFileSync, finishRead, checkUserBuffer };

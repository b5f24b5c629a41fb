// natives: fs
//
// Shared by the three forms of node:fs (sync, callback, promise): reading
// arguments the way Node does, with its errors. Nothing here touches a file.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { constants } = native('fs');
const { codes, hideStackFrames } = require('internal/errors/coded');
const {
  validateAbortSignal,
  validateBoolean,
  validateFunction,
  validateInt32,
  validateInteger,
  validateObject,
  validateUint32,
  parseFileMode,
} = require('internal/util/validators');
const { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE } = codes;

const kMaxUserId = 2 ** 32 - 1;
const kEmpty = Object.freeze({ __proto__: null });

const flagWords = {
  __proto__: null,
  r: constants.O_RDONLY,
  rs: constants.O_RDONLY | constants.O_SYNC,
  'r+': constants.O_RDWR,
  'rs+': constants.O_RDWR | constants.O_SYNC,
  w: constants.O_TRUNC | constants.O_CREAT | constants.O_WRONLY,
  wx: constants.O_TRUNC | constants.O_CREAT | constants.O_WRONLY | constants.O_EXCL,
  'w+': constants.O_TRUNC | constants.O_CREAT | constants.O_RDWR,
  'wx+': constants.O_TRUNC | constants.O_CREAT | constants.O_RDWR | constants.O_EXCL,
  a: constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY,
  ax: constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_EXCL,
  as: constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_SYNC,
  'a+': constants.O_APPEND | constants.O_CREAT | constants.O_RDWR,
  'ax+': constants.O_APPEND | constants.O_CREAT | constants.O_RDWR | constants.O_EXCL,
  'as+': constants.O_APPEND | constants.O_CREAT | constants.O_RDWR | constants.O_SYNC,
};
for (const [swapped, word] of eachEntry([
  ['sr', 'rs'],
  ['sr+', 'rs+'],
  ['xw', 'wx'],
  ['xw+', 'wx+'],
  ['xa', 'ax'],
  ['xa+', 'ax+'],
  ['sa', 'as'],
  ['sa+', 'as+'],
])) {
  flagWords[swapped] = flagWords[word];
}

function stringToFlags(flags, name = 'flags') {
  if (typeof flags === 'number') {
    validateInt32(flags, name);
    return flags + 0;
  }
  if (flags == null) return constants.O_RDONLY;
  const known = typeof flags === 'string' ? flagWords[flags] : undefined;
  if (known === undefined) throw new ERR_INVALID_ARG_VALUE('flags', flags);
  return known;
}

function assertEncoding(encoding) {
  if (encoding && !Buffer.isEncoding(encoding)) {
    throw new ERR_INVALID_ARG_VALUE('encoding', encoding, 'is invalid encoding');
  }
}

function getOptions(options, defaults = kEmpty) {
  if (options == null || typeof options === 'function') return defaults;
  if (typeof options === 'string') options = { ...defaults, encoding: options };
  else if (typeof options !== 'object') throw new ERR_INVALID_ARG_TYPE('options', ['string', 'Object'], options);
  if (options.encoding !== 'buffer') assertEncoding(options.encoding);
  if (options.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
  return options;
}

function copyObject(source) {
  const target = {};
  for (const key in source) target[key] = source[key];
  return target;
}

function isUrl(value) {
  return Boolean(value?.href && value.protocol && value.auth === undefined && value.path === undefined);
}

const validatePath = hideStackFrames((path, name = 'path') => {
  if (typeof path === 'string') {
    if (!stringIncludes.call(path, '\u0000')) return;
  } else if (path instanceof Uint8Array) {
    if (!bytesIncludes.call(path, 0)) return;
  } else {
    throw new ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'URL'], path);
  }
  throw new ERR_INVALID_ARG_VALUE(name, path, 'must be a string, Uint8Array, or URL without null bytes');
});

const checkPath = hideStackFrames((value, name) => {
  const path = isUrl(value) ? require('internal/url/url').fileURLToPath(value) : value;
  validatePath(path, name);
  return path;
});

// A string or Uint8Array the native half can take.
function getValidatedPath(value, name = 'path') {
  if (typeof value === 'string' && !stringIncludes.call(value, '\u0000')) return value;
  return checkPath(value, name);
}

// Node checks descriptors natively, and words some values more plainly there.
function plainly(error, fd) {
  if (typeof fd === 'number') error.message = replaceMatches(error.message, /(\d)_(?=\d)/g, '$1');
  else if (typeof fd === 'bigint') error.message = replaceMatches(error.message, /n\)$/, ')');
  else if (typeof fd === 'symbol') error.message = replaceMatches(error.message, /type symbol \((.*)\)$/, '$1');
  else if (typeof fd === 'function') error.message = stringTrimEnd.call(error.message);
  return error;
}

function getValidatedFd(fd, name = 'fd') {
  if (typeof fd === 'number' && (fd | 0) === fd && fd >= 0) return fd | 0;
  try {
    validateInt32(fd, name, 0);
  } catch (error) {
    throw plainly(error, fd);
  }
  return fd;
}

// The kernel's answer to reading into no buffers at all.
function noBuffers() {
  const { UVException } = require('internal/errors/coded');
  return new UVException({ errno: -22, syscall: 'read' });
}

// Where to read or write: what is no such number means the current place.
function positionOf(position) {
  return Number.isSafeInteger(position) ? position : -1;
}

const validateBufferArray = hideStackFrames((buffers, name = 'buffers') => {
  if (!Array.isArray(buffers) || !arrayEvery.call(buffers, (buffer) => ArrayBuffer.isView(buffer))) {
    throw new ERR_INVALID_ARG_TYPE(name, 'ArrayBufferView[]', buffers);
  }
  return buffers;
});

const validateOffsetLengthRead = hideStackFrames((offset, length, size) => {
  if (offset < 0) throw new ERR_OUT_OF_RANGE('offset', '>= 0', offset);
  if (length < 0) throw new ERR_OUT_OF_RANGE('length', '>= 0', length);
  if (offset + length > size) throw new ERR_OUT_OF_RANGE('length', `<= ${size - offset}`, length);
});

const validateOffsetLengthWrite = hideStackFrames((offset, length, size) => {
  if (offset > size) throw new ERR_OUT_OF_RANGE('offset', `<= ${size}`, offset);
  if (length > size - offset) throw new ERR_OUT_OF_RANGE('length', `<= ${size - offset}`, length);
  if (length < 0) throw new ERR_OUT_OF_RANGE('length', '>= 0', length);
  validateInt32(length, 'length', 0);
});

// null: the file's own position, said to the native half as -1.
const validatePosition = hideStackFrames((position, name, length) => {
  if (typeof position === 'number') {
    validateInteger(position, name, -1);
  } else if (typeof position === 'bigint') {
    const most = 2n ** 63n - 1n - BigInt(length);
    if (!(position >= -1n && position <= most)) {
      throw new ERR_OUT_OF_RANGE(name, `>= -1 && <= ${most}`, position);
    }
  } else {
    throw new ERR_INVALID_ARG_TYPE(name, ['integer', 'bigint'], position);
  }
});

const validateStringAfterArrayBufferView = hideStackFrames((value, name) => {
  if (typeof value !== 'string') {
    throw new ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'TypedArray', 'DataView'], value);
  }
});

// access() and copyFile() modes.
const modes = {
  access: { least: 0, most: constants.F_OK | constants.R_OK | constants.W_OK | constants.X_OK, otherwise: constants.F_OK },
  copyFile: { least: 0, most: 7, otherwise: 0 },
};
// access() has words of its own for this.
function checkAccessMode(mode, least, most) {
  const refuse = (Base, code, message) => Object.assign(new Base(message), { code });
  if (typeof mode !== 'number') throw refuse(TypeError, 'ERR_INVALID_ARG_TYPE', 'mode must be int32 or null/undefined');
  if (!Number.isFinite(mode)) throw refuse(RangeError, 'ERR_OUT_OF_RANGE', 'mode is out of range');
  if (mode < least || mode > most) throw refuse(RangeError, 'ERR_OUT_OF_RANGE', `mode is out of range: >= ${least} && <= ${most}`);
  return Math.trunc(mode);
}

const getValidMode = hideStackFrames((mode, kind) => {
  const { least, most, otherwise } = modes[kind];
  if (mode == null) return otherwise;
  if (kind === 'access') return checkAccessMode(mode, least, most);
  return checkCopyMode(mode, least, most);
});

function withMessage(error, message) {
  return Object.assign(error, { message });
}

// Checked natively in Node, hence the wording.
function checkCopyMode(mode, least, most) {
  const { ERR_OUT_OF_RANGE } = codes;
  if (typeof mode !== 'number') throw withMessage(new ERR_INVALID_ARG_TYPE('mode', 'int32', mode), 'mode must be int32 or null/undefined');
  if (!Number.isFinite(mode)) throw withMessage(new ERR_OUT_OF_RANGE('mode', 'an integer', mode), 'mode is out of range');
  const whole = Math.trunc(mode);
  if (whole < least || whole > most) {
    throw withMessage(new ERR_OUT_OF_RANGE('mode', 'an integer', mode), `mode is out of range: >= ${least} && <= ${most}`);
  }
  return whole;
}

function toUnixTimestamp(time, name = 'time') {
  // biome-ignore lint/suspicious/noDoubleEquals: text that reads as a number, in any notation
  if (typeof time === 'string' && +time == time) return +time;
  if (Number.isFinite(time)) return time < 0 ? Date.now() / 1000 : time;
  if (time instanceof Date) return dateGetTime.call(time) / 1000;
  throw new ERR_INVALID_ARG_TYPE(name, ['Date', 'Time in seconds'], time);
}

function validateId(id, name) {
  validateInteger(id, name, -1, kMaxUserId);
}

let templateWarned = false;
function warnOnNonPortableTemplate(template) {
  const last = typeof template === 'string' ? stringCharCodeAt.call(template, template.length - 1) : template[template.length - 1];
  if (last !== 0x58 || templateWarned) return;
  templateWarned = true;
  process.emitWarning('mkdtemp() templates ending with X are not portable. For details see: https://nodejs.org/api/fs.html');
}

const defaultRm = { recursive: false, force: false, retryDelay: 100, maxRetries: 0 };
const validateRmOptions = hideStackFrames((options) => {
  if (options !== undefined) validateObject(options, 'options');
  const given = { ...defaultRm, ...options };
  validateBoolean(given.force, 'options.force');
  validateBoolean(given.recursive, 'options.recursive');
  validateInt32(given.retryDelay, 'options.retryDelay', 0);
  validateUint32(given.maxRetries, 'options.maxRetries');
  return given;
});

const defaultCp = {
  dereference: false,
  errorOnExist: false,
  filter: undefined,
  force: true,
  preserveTimestamps: false,
  recursive: false,
  verbatimSymlinks: false,
};
const validateCpOptions = hideStackFrames((options) => {
  if (options === undefined) return { ...defaultCp, mode: 0 };
  validateObject(options, 'options');
  const given = { ...defaultCp, ...options };
  for (const name of each(['dereference', 'errorOnExist', 'force', 'preserveTimestamps', 'recursive', 'verbatimSymlinks'])) {
    validateBoolean(given[name], `options.${name}`);
  }
  if (given.mode == null) given.mode = 0;
  else validateInteger(given.mode, 'mode', 0, 7);
  if (given.dereference && given.verbatimSymlinks) {
    const { ERR_INCOMPATIBLE_OPTION_PAIR } = codes;
    throw new ERR_INCOMPATIBLE_OPTION_PAIR('dereference', 'verbatimSymlinks');
  }
  if (given.filter !== undefined) validateFunction(given.filter, 'options.filter');
  return given;
});

// mkdir's third argument: a mode, or { mode, recursive }.
function mkdirOptions(options, modeName = 'options.mode') {
  let mode = 0o777;
  let recursive = false;
  if (typeof options === 'number' || typeof options === 'string') {
    mode = parseFileMode(options, 'mode');
  } else if (options) {
    if (options.recursive !== undefined) {
      validateBoolean(options.recursive, 'options.recursive');
      ({ recursive } = options);
    }
    if (options.mode !== undefined) mode = parseFileMode(options.mode, modeName);
  }
  return { mode, recursive };
}

// read(fd, buffer, offset, length, position): checks and defaults. length 0 means nothing to do.
const readRange = hideStackFrames((buffer, offset, length, position) => {
  if (offset == null) offset = 0;
  else validateInteger(offset, 'offset', 0);
  length |= 0;
  if (position == null) position = -1;
  else validatePosition(position, 'position', length);
  if (length !== 0) {
    if (buffer.byteLength === 0) throw new ERR_INVALID_ARG_VALUE('buffer', buffer, 'is empty and cannot be written');
    validateOffsetLengthRead(offset, length, buffer.byteLength);
  }
  return { offset, length, position };
});

// write(fd, buffer, offset, length, position), the bytes form.
const writeRange = hideStackFrames((buffer, offset, length, position) => {
  if (offset !== null && typeof offset === 'object') {
    ({ offset = 0, length = buffer.byteLength - offset, position = null } = offset);
  }
  if (offset == null || typeof offset === 'function') offset = 0;
  else validateInteger(offset, 'offset', 0);
  if (typeof length !== 'number') length = buffer.byteLength - offset;
  validateOffsetLengthWrite(offset, length, buffer.byteLength);
  return { offset, length, position: typeof position === 'bigint' ? position : positionOf(position) };
});

// The string form: what goes to the file, with the encoding checked as Buffer.from would.
function writeText(text, encoding) {
  const { validateEncoding } = require('internal/util/validators');
  validateEncoding(text, encoding);
  return Buffer.from(text, encoding ?? 'utf8');
}

// rmdir lost its recursive option in Node 26.
const validateRmdirOptions = hideStackFrames((options) => {
  if (options?.recursive !== undefined) {
    throw new ERR_INVALID_ARG_VALUE('options.recursive', options.recursive, 'is no longer supported');
  }
  if (options !== undefined) validateObject(options, 'options');
});

// Names of files in the encoding asked for. `raw` is a string, or bytes when askBytes(encoding).
function askBytes(encoding) {
  return Boolean(encoding) && encoding !== 'utf8' && encoding !== 'utf-8';
}

function toBuffer(bytes) {
  if (bytes instanceof Buffer) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function inEncoding(raw, encoding) {
  if (typeof raw === 'string' || raw === undefined) return raw;
  const buffer = toBuffer(raw);
  return encoding === 'buffer' ? buffer : buffer.toString(encoding);
}

function mustCall(callback) {
  validateFunction(callback, 'cb');
  return callback;
}

// While somebody looks for leaks: `note` is called where a file is opened.
const opens = { note: null };

module.exports = {
  opens,
  askBytes,
  copyObject,
  getOptions,
  getValidMode,
  getValidatedFd,
  getValidatedPath,
  inEncoding,
  isUrl,
  kEmpty,
  mkdirOptions,
  mustCall,
  noBuffers,
  parseFileMode,
  positionOf,
  readRange,
  stringToFlags,
  toBuffer,
  toUnixTimestamp,
  validateBufferArray,
  validateCpOptions,
  validateId,
  validateOffsetLengthRead,
  validatePath,
  validatePosition,
  validateRmOptions,
  validateRmdirOptions,
  validateStringAfterArrayBufferView,
  warnOnNonPortableTemplate,
  writeRange,
  writeText,
};

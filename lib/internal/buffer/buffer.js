// natives: buffer
// node:buffer. Puts together the Buffer class (constructor, statics, prototype)
// from internal/buffer/*, and exports it with Blob, File, atob, btoa and the
// limits. The bytes are handled in src/modules/buffer/buffer.cpp.
'use strict';

const { addLazy } = require('internal/util/lazy_property');
const binding = native('buffer');
const {
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');
const { validateArray, validateInteger } = require('internal/util/validators');
const { findEncoding, utf8 } = require('internal/buffer/encodings');
const create = require('internal/buffer/create');
const { methods, fillBytes, compareStatic } = require('internal/buffer/methods');
const { inspectBuffer, getMaxBytes, setMaxBytes } = require('internal/buffer/inspect');

const { FastBuffer, kMaxLength, checkSize, isAnyArrayBuffer } = create;
const kStringMaxLength = binding.kStringMaxLength;

let warnedAboutConstructor = false;

// Inside a package only --pending-deprecation makes Buffer() warn.
function warnAboutConstructor() {
  if (warnedAboutConstructor) return;
  const { isCalledFromNodeModules } = require('internal/buffer/caller');
  const flags = process.execArgv;
  const always = flags !== undefined && arrayIncludes.call(flags, '--pending-deprecation');
  if (!always && isCalledFromNodeModules()) return;
  warnedAboutConstructor = true;
  process.emitWarning(
    'Buffer() is deprecated due to security and usability issues. Please use the ' +
      'Buffer.alloc(), Buffer.allocUnsafe(), or Buffer.from() methods instead.',
    'DeprecationWarning',
    'DEP0005',
    Buffer,
  );
}

function Buffer(arg, encodingOrOffset, length) {
  warnAboutConstructor();
  if (typeof arg === 'number') {
    if (typeof encodingOrOffset === 'string') {
      throw new ERR_INVALID_ARG_TYPE('string', 'string', arg);
    }
    return Buffer.alloc(arg);
  }
  return Buffer.from(arg, encodingOrOffset, length);
}

Object.defineProperty(Buffer, Symbol.species, {
  configurable: true,
  enumerable: false,
  get() {
    return FastBuffer;
  },
});

Buffer.poolSize = 64 * 1024;
Buffer.from = function from(value, encodingOrOffset, length) {
  return create.from(value, encodingOrOffset, length);
};
Buffer.copyBytesFrom = function copyBytesFrom(view, offset, length) {
  return create.copyBytesFrom(view, offset, length);
};
Object.setPrototypeOf(Buffer, Uint8Array);
Buffer.of = create.of;

Buffer.alloc = function alloc(size, fill, encoding) {
  checkSize(size);
  if (fill !== undefined && fill !== 0 && size > 0) {
    const buffer = binding.allocUnsafe(size);
    return fillBytes(buffer, fill, 0, buffer.length, encoding);
  }
  return binding.alloc(size);
};
Buffer.allocUnsafe = create.allocUnsafe;
Buffer.allocUnsafeSlow = create.allocUnsafeSlow;

Buffer.isBuffer = function isBuffer(value) {
  return value instanceof Buffer;
};
Buffer.compare = function compare(buf1, buf2) {
  return compareStatic(buf1, buf2);
};
Buffer.isEncoding = function isEncoding(encoding) {
  return typeof encoding === 'string' && encoding.length !== 0 && findEncoding(encoding) !== undefined;
};

Buffer.concat = function concat(list, length) {
  validateArray(list, 'list');
  if (list.length === 0) return binding.allocUnsafe(0);
  if (length !== undefined) validateInteger(length, 'length', 0, kMaxLength);
  const made = binding.concat(list, length);
  if (typeof made === 'number') {
    throw new ERR_INVALID_ARG_TYPE(`list[${made}]`, ['Buffer', 'Uint8Array'], list[made]);
  }
  return made;
};

Buffer.byteLength = function byteLength(string, encoding) {
  if (typeof string !== 'string') {
    if (ArrayBuffer.isView(string) || isAnyArrayBuffer(string)) return string.byteLength;
    throw new ERR_INVALID_ARG_TYPE('string', ['string', 'Buffer', 'ArrayBuffer'], string);
  }
  if (string.length === 0) return 0;
  return ((encoding && findEncoding(encoding)) || utf8).byteLength(string);
};

Buffer.prototype = FastBuffer.prototype;

function define(name, value) {
  Object.defineProperty(Buffer.prototype, name, {
    configurable: true,
    enumerable: true,
    writable: true,
    value,
  });
}

// readUInt8 is also readUint8, and so on.
function defineNumbers(table) {
  for (const name of each(Object.keys(table))) {
    define(name, table[name]);
    if (stringIncludes.call(name, 'UInt')) define(stringReplace.call(name, 'UInt', 'Uint'), table[name]);
  }
}

Object.defineProperty(Buffer.prototype, 'constructor', {
  configurable: true,
  enumerable: false,
  writable: true,
  value: Buffer,
});
defineNumbers(require('internal/buffer/numbers').methods);
defineNumbers(require('internal/buffer/wide_numbers'));
for (const name of each(['ascii', 'base64', 'base64url', 'latin1', 'hex', 'ucs2', 'utf8'])) {
  define(`${name}Slice`, binding[`${name}Slice`]);
  define(`${name}Write`, binding[`${name}Write`]);
}
for (const name of each(Object.keys(methods))) define(name, methods[name]);
define('inspect', inspectBuffer);
define(Symbol.for('nodejs.util.inspect.custom'), inspectBuffer);
define('toLocaleString', methods.toString);

Object.defineProperty(Buffer.prototype, 'parent', {
  enumerable: true,
  get() {
    return this instanceof Buffer ? this.buffer : undefined;
  },
});
Object.defineProperty(Buffer.prototype, 'offset', {
  enumerable: true,
  get() {
    return this instanceof Buffer ? this.byteOffset : undefined;
  },
});

const later = {
  transcode: 'internal/buffer/transcode',
  isUtf8: 'internal/buffer/transcode',
  isAscii: 'internal/buffer/transcode',
};

exports.Buffer = Buffer;
for (const name of each(Object.keys(later))) {
  exports[name] = {
    [name](...args) {
      return require(later[name])[name](...each(args));
    },
  }[name];
}
exports.kMaxLength = kMaxLength;
exports.kStringMaxLength = kStringMaxLength;

const lazyExport = (name, id) => addLazy(exports, [name], () => require(id)[name], true);

lazyExport('btoa', 'internal/encoding/base64');
lazyExport('atob', 'internal/encoding/base64');
Object.defineProperty(exports, 'constants', {
  configurable: false,
  enumerable: true,
  value: Object.defineProperties(
    {},
    {
      MAX_LENGTH: { enumerable: true, value: kMaxLength },
      MAX_STRING_LENGTH: { enumerable: true, value: kStringMaxLength },
    },
  ),
});
Object.defineProperty(exports, 'INSPECT_MAX_BYTES', {
  configurable: true,
  enumerable: true,
  get: getMaxBytes,
  set: setMaxBytes,
});
lazyExport('Blob', 'internal/webstreams/blob');
lazyExport('resolveObjectURL', 'internal/webstreams/blob');
lazyExport('File', 'internal/webstreams/blob');

// natives: buffer
// Buffer.prototype's methods on bytes and strings: toString, write, fill, copy,
// compare, search, slices, swaps, toJSON. Argument rules here, bytes in the
// native half. They also work on a plain Uint8Array as `this`.
// Installed by node/buffer.js.
'use strict';

const binding = native('buffer');
const {
  codes: {
    ERR_BUFFER_OUT_OF_BOUNDS,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_BUFFER_SIZE,
    ERR_OUT_OF_RANGE,
    ERR_UNKNOWN_ENCODING,
  },
} = require('internal/errors/coded');
const { validateInteger, validateString } = require('internal/util/validators');
const { findEncoding, normalizeEncoding, utf8, kUtf8, kLatin1 } = require('internal/buffer/encodings');
const { isUint8Array } = require('internal/buffer/create');

const { utf8Slice, utf8Write } = binding;

function encodingNamed(name) {
  const found = findEncoding(name);
  if (found === undefined) throw new ERR_UNKNOWN_ENCODING(name);
  return found;
}

// Whole numbers inside the safe range pass, fractions round down, the rest is the default.
function toInteger(value, fallback) {
  value = +value;
  if (!Number.isNaN(value) && value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER) {
    return value % 1 === 0 ? value : Math.floor(value);
  }
  return fallback;
}

function requireBytes(value, name) {
  if (!isUint8Array(value)) {
    throw new ERR_INVALID_ARG_TYPE(name, ['Buffer', 'Uint8Array'], value);
  }
}

function toString(encoding, start, end) {
  if (arguments.length === 0) return call2(utf8Slice, this, 0, this.length);

  const { length } = this;
  if (start <= 0) start = 0;
  else if (start >= length) return '';
  else start = Math.trunc(start) || 0;

  if (end === undefined || end > length) end = length;
  else end = Math.trunc(end) || 0;

  if (end <= start) return '';
  if (encoding === undefined) return call2(utf8Slice, this, start, end);
  return encodingNamed(encoding).slice(slicer(this), start, end);
}

// A Uint8Array has none of the xxxSlice/xxxWrite methods; lend it Buffer's.
const lent = new Map();
function lend(name) {
  let method = lent.get(name);
  if (method === undefined) lent.set(name, (method = binding[name]));
  return method;
}

function slicer(bytes) {
  if (typeof bytes.utf8Slice === 'function') return bytes;
  const borrow = {};
  for (const name of each(['utf8', 'ucs2', 'latin1', 'ascii', 'base64', 'base64url', 'hex'])) {
    borrow[`${name}Slice`] = (start, end) => call2(lend(`${name}Slice`), bytes, start, end);
    borrow[`${name}Write`] = (string, offset, length) => call3(lend(`${name}Write`), bytes, string, offset, length);
  }
  return borrow;
}

function write(string, offset, length, encoding) {
  if (offset === undefined) return call3(utf8Write, this, string, 0, this.length);
  if (length === undefined && typeof offset === 'string') {
    encoding = offset;
    length = this.length;
    offset = 0;
  } else {
    validateInteger(offset, 'offset', 0, this.length);
    const remaining = this.length - offset;
    if (length === undefined) {
      length = remaining;
    } else if (typeof length === 'string') {
      encoding = length;
      length = remaining;
    } else {
      validateInteger(length, 'length', 0, this.length);
      if (length > remaining) length = remaining;
    }
  }
  if (!encoding) return call3(utf8Write, this, string, offset, length);
  return encodingNamed(encoding).write(slicer(this), string, offset, length);
}

// Reads fill's optional (offset, end, encoding) and turns one-byte strings into numbers.
function fillArguments(buffer, value, offset, end, encoding) {
  if (typeof value !== 'string') return { value, offset, end, id: kUtf8 };
  if (offset === undefined || typeof offset === 'string') {
    encoding = offset;
    offset = 0;
    end = buffer.length;
  } else if (typeof end === 'string') {
    encoding = end;
    end = buffer.length;
  }
  const name = normalizeEncoding(encoding);
  if (name === undefined) {
    validateString(encoding, 'encoding');
    throw new ERR_UNKNOWN_ENCODING(encoding);
  }
  const { id } = findEncoding(name);
  if (value.length === 0) {
    value = 0;
  } else if (value.length === 1) {
    const code = stringCharCodeAt.call(value, 0);
    if (id === kUtf8 ? code < 128 : id === kLatin1 && code < 256) value = code;
  }
  return { value, offset, end, id };
}

function fillBytes(buffer, rawValue, rawOffset, rawEnd, encoding) {
  let { value, offset, end, id } = fillArguments(buffer, rawValue, rawOffset, rawEnd, encoding);
  if (offset === undefined) {
    offset = 0;
    end = buffer.length;
  } else {
    validateInteger(offset, 'offset', 0);
    if (end === undefined) end = buffer.length;
    else validateInteger(end, 'end', 0, buffer.length);
    if (offset >= end) return buffer;
  }
  const outcome = binding.fill(buffer, value, offset, end, id);
  if (outcome === -1) throw new ERR_INVALID_ARG_VALUE('value', value);
  if (outcome === -2) throw new ERR_BUFFER_OUT_OF_BOUNDS();
  return buffer;
}

function fill(value, offset, end, encoding) {
  requireBytes(this, 'buffer');
  return fillBytes(this, value, offset, end, encoding);
}

function copy(target, targetStart, sourceStart, sourceEnd) {
  if (!ArrayBuffer.isView(this)) {
    throw new ERR_INVALID_ARG_TYPE('source', ['Buffer', 'Uint8Array'], this);
  }
  if (!ArrayBuffer.isView(target)) {
    throw new ERR_INVALID_ARG_TYPE('target', ['Buffer', 'Uint8Array'], target);
  }
  if (targetStart === undefined) {
    targetStart = 0;
  } else {
    targetStart = Number.isInteger(targetStart) ? targetStart : toInteger(targetStart, 0);
    if (targetStart < 0) throw new ERR_OUT_OF_RANGE('targetStart', '>= 0', targetStart);
  }
  if (sourceStart === undefined) {
    sourceStart = 0;
  } else {
    sourceStart = Number.isInteger(sourceStart) ? sourceStart : toInteger(sourceStart, 0);
    if (sourceStart < 0 || sourceStart > this.byteLength) {
      throw new ERR_OUT_OF_RANGE('sourceStart', `>= 0 && <= ${this.byteLength}`, sourceStart);
    }
  }
  if (sourceEnd === undefined) {
    sourceEnd = this.byteLength;
  } else {
    sourceEnd = Number.isInteger(sourceEnd) ? sourceEnd : toInteger(sourceEnd, 0);
    if (sourceEnd < 0) throw new ERR_OUT_OF_RANGE('sourceEnd', '>= 0', sourceEnd);
  }
  if (targetStart >= target.byteLength || sourceStart >= sourceEnd) return 0;
  return binding.copy(this, target, targetStart, sourceStart, sourceEnd - sourceStart);
}

function equals(other) {
  requireBytes(this, 'buf');
  requireBytes(other, 'otherBuffer');
  if (this === other) return true;
  return this.byteLength === other.byteLength && binding.compare(this, other) === 0;
}

function compareStatic(left, right) {
  requireBytes(left, 'buf1');
  requireBytes(right, 'buf2');
  return left === right ? 0 : binding.compare(left, right);
}

function rangeArgument(value, name, fallback, max) {
  if (value === undefined) return fallback;
  validateInteger(value, name, 0, max);
  return value;
}

function compare(target, targetStart, targetEnd, sourceStart, sourceEnd) {
  requireBytes(this, 'buf');
  requireBytes(target, 'target');
  if (arguments.length === 1) return binding.compare(this, target);

  targetStart = rangeArgument(targetStart, 'targetStart', 0);
  targetEnd = rangeArgument(targetEnd, 'targetEnd', target.length, target.length);
  sourceStart = rangeArgument(sourceStart, 'sourceStart', 0);
  sourceEnd = rangeArgument(sourceEnd, 'sourceEnd', this.length, this.length);

  if (sourceStart >= sourceEnd) return targetStart >= targetEnd ? 0 : -1;
  if (targetStart >= targetEnd) return 1;
  return binding.compareRange(this, target, sourceStart, sourceEnd, targetStart, targetEnd);
}

// Where the search begins, as Node reads it: strings are encodings, NaN is "all of it".
function search(buffer, value, byteOffset, encoding, forward) {
  if (!ArrayBuffer.isView(buffer)) {
    throw new ERR_INVALID_ARG_TYPE('buffer', ['Buffer', 'TypedArray', 'DataView'], buffer);
  }
  if (typeof byteOffset === 'string') {
    encoding = byteOffset;
    byteOffset = undefined;
  }
  byteOffset = +byteOffset;
  if (Number.isNaN(byteOffset)) byteOffset = forward ? 0 : buffer.length;
  else if (byteOffset > 0x7fffffff) byteOffset = Math.min(byteOffset, Number.MAX_SAFE_INTEGER);
  else if (byteOffset < -Number.MAX_SAFE_INTEGER) byteOffset = -Number.MAX_SAFE_INTEGER;
  byteOffset = Math.trunc(byteOffset);

  if (typeof value === 'number') return binding.indexOfByte(buffer, value & 255, byteOffset, forward);
  const found = encoding === undefined ? utf8 : findEncoding(encoding);
  if (typeof value === 'string') {
    if (found === undefined) throw new ERR_UNKNOWN_ENCODING(encoding);
    return binding.indexOfString(buffer, value, byteOffset, found.id, forward);
  }
  if (isUint8Array(value)) {
    return binding.indexOfBytes(buffer, value, byteOffset, (found || utf8).id, forward);
  }
  throw new ERR_INVALID_ARG_TYPE('value', ['number', 'string', 'Buffer', 'Uint8Array'], value);
}

// With `end`, the bytes before it are searched; a negative start still counts from the buffer's own end.
function searchBefore(buffer, value, start, end, encoding, forward) {
  if (end === undefined || typeof end === 'string' || !ArrayBuffer.isView(buffer)) {
    return search(buffer, value, start, end ?? encoding, forward);
  }
  const stop = Math.trunc(+end);
  if (stop >= buffer.byteLength) return search(buffer, value, start, encoding, forward);
  const head = new Uint8Array(buffer.buffer, buffer.byteOffset, stop > 0 ? stop : 0);
  if (typeof start === 'string') return search(head, value, undefined, start, forward);
  let from = Math.trunc(+start);
  if (from < 0) from += buffer.byteLength;
  if (from < 0 && !forward) return -1;
  return search(head, value, from < 0 ? 0 : from, encoding, forward);
}

function indexOf(value, start, end, encoding) {
  return searchBefore(this, value, start, end, encoding, true);
}

function lastIndexOf(value, start, end, encoding) {
  return searchBefore(this, value, start, end, encoding, false);
}

function includes(value, start, end, encoding) {
  return searchBefore(this, value, start, end, encoding, true) !== -1;
}

// slice and subarray take a range relative to either end and clamp it.
function clampIndex(value, length) {
  value = Math.trunc(value);
  if (value === 0 || Number.isNaN(value)) return 0;
  if (value < 0) {
    value += length;
    return value > 0 ? value : 0;
  }
  return value < length ? value : length;
}

function subarray(start, end) {
  const { length } = this;
  start = clampIndex(start, length);
  end = end === undefined ? length : clampIndex(end, length);
  return binding.view(this, start, end > start ? end - start : 0);
}

function slice(start, end) {
  return this.subarray(start, end);
}

function swapBytes(buffer, width, name) {
  requireBytes(buffer, 'buffer');
  if (buffer.length % width !== 0) throw new ERR_INVALID_BUFFER_SIZE(name);
  binding.swap(buffer, width);
  return buffer;
}

function swap16() {
  return swapBytes(this, 2, '16-bits');
}

function swap32() {
  return swapBytes(this, 4, '32-bits');
}

function swap64() {
  return swapBytes(this, 8, '64-bits');
}

function toJSON() {
  const { length } = this;
  const data = new Array(length > 0 ? length : 0);
  for (let i = 0; i < length; i++) data[i] = this[i];
  return { type: 'Buffer', data };
}

module.exports = {
  compareStatic,
  fillBytes,
  methods: {
    copy,
    toString,
    equals,
    compare,
    indexOf,
    lastIndexOf,
    includes,
    fill,
    write,
    toJSON,
    subarray,
    slice,
    swap16,
    swap32,
    swap64,
  },
};

// natives: none
// node:string_decoder: bytes to text in pieces, holding back a character that is not whole.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS, ERR_UNKNOWN_ENCODING },
} = require('internal/errors/coded');
const { normalizeEncoding } = require('internal/util/helpers');

// How many bytes at the end of `bytes` begin a UTF-8 character that is not whole yet, by its first byte alone (as Node).
function incompleteUtf8(bytes) {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back];
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf8 ? 4 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

// A lone byte, a high surrogate at the end whose other half is missing, or one that was held back and half of the other.
function incompleteUtf16(bytes, heldBefore) {
  if (bytes.length % 2 === 1) return heldBefore === 2 && bytes.length === 3 ? 3 : 1;
  const high = bytes.length >= 2 ? bytes[bytes.length - 1] : 0;
  return high >= 0xd8 && high <= 0xdb ? 2 : 0;
}

const kIncomplete = {
  utf8: incompleteUtf8,
  utf16le: incompleteUtf16,
  base64: (bytes) => bytes.length % 3,
  base64url: (bytes) => bytes.length % 3,
};

const kPending = Symbol('pending');

function missingOf(decoder) {
  const pending = decoder[kPending];
  if (pending.length === 0) return 0;
  switch (decoder.encoding) {
    case 'utf8': {
      const lead = pending[0];
      return (lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4) - pending.length;
    }
    case 'utf16le':
      return pending.length % 2 === 1 ? 1 : 2;
    default:
      return 3 - pending.length;
  }
}

function StringDecoder(encoding) {
  const name = normalizeEncoding(encoding);
  if (name === undefined) throw new ERR_UNKNOWN_ENCODING(encoding);
  this.encoding = name;
  this[kPending] = Buffer.alloc(0);
}

function bytesOf(value) {
  if (Buffer.isBuffer(value)) return value;
  if (!ArrayBuffer.isView(value)) throw new ERR_INVALID_ARG_TYPE('buf', ['Buffer', 'TypedArray', 'DataView'], value);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

StringDecoder.prototype.write = function write(buffer) {
  if (typeof buffer === 'string') return buffer;
  const pending = this?.[kPending];
  if (pending === undefined) throw new ERR_INVALID_THIS('StringDecoder');
  let bytes = bytesOf(buffer);
  const incomplete = kIncomplete[this.encoding];
  if (incomplete === undefined) return bytes.toString(this.encoding);
  if (pending.length > 0) bytes = Buffer.concat([pending, bytes]);
  const held = incomplete(bytes, pending.length);
  // A copy: the caller may reuse its buffer.
  this[kPending] = held === 0 ? Buffer.alloc(0) : Buffer.from(bytes.subarray(bytes.length - held));
  return bytes.toString(this.encoding, 0, bytes.length - held);
};

StringDecoder.prototype.end = function end(buffer) {
  const text = buffer === undefined ? '' : this.write(buffer);
  const pending = this[kPending];
  if (pending === undefined) throw new ERR_INVALID_THIS('StringDecoder');
  if (pending.length === 0) return text;
  this[kPending] = Buffer.alloc(0);
  const rest = this.encoding === 'utf16le' ? pending.subarray(0, pending.length - (pending.length % 2)) : pending;
  return text + rest.toString(this.encoding);
};

StringDecoder.prototype.text = function text(buffer, offset) {
  this[kPending] = Buffer.alloc(0);
  return this.write(buffer.slice(offset));
};

Object.defineProperties(StringDecoder.prototype, {
  lastChar: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      const shown = Buffer.alloc(4);
      this[kPending].copy(shown);
      return shown;
    },
  },
  lastNeed: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return missingOf(this);
    },
  },
  lastTotal: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return this[kPending].length + missingOf(this);
    },
  },
});

module.exports = { StringDecoder };

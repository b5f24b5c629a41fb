// natives: buffer, float16
// How a Buffer comes to be: FastBuffer (the class every Buffer really is), the
// allocators and Buffer.from's many shapes. node/buffer.js puts the public
// names on it. There is no shared pool: small typed arrays live inside the
// engine's own heap, where making one costs less than carving it out of a slab.
'use strict';

const binding = native('buffer');
const {
  codes: { ERR_BUFFER_OUT_OF_BOUNDS, ERR_INVALID_ARG_TYPE, ERR_UNKNOWN_ENCODING },
} = require('internal/errors/coded');
const { validateInteger, validateNumber } = require('internal/util/validators');
const { findEncoding, utf8 } = require('internal/buffer/encodings');

const kMaxLength = Number.MAX_SAFE_INTEGER;
const TypedArray = Object.getPrototypeOf(Uint8Array);
const typedArrayTag = Object.getOwnPropertyDescriptor(TypedArray.prototype, Symbol.toStringTag).get;

// The constructor is only ever reached through FastBuffer itself; user code sees
// Buffer, whose prototype object is this class's prototype.
class FastBuffer extends Uint8Array {
  constructor(bufferOrLength, byteOffset, length) {
    super(bufferOrLength, byteOffset, length);
  }
}

binding.setPrototype(FastBuffer.prototype);

function isTypedArray(value) {
  if (call0(typedArrayTag, value) !== undefined) return true;
  return ArrayBuffer.isView(value) && native('float16').isFloat16Array(value);
}

function isUint8Array(value) {
  return call0(typedArrayTag, value) === 'Uint8Array';
}

const isAnyArrayBuffer = binding.isAnyArrayBuffer;

function checkSize(size) {
  if (typeof size !== 'number' || !(size >= 0 && size <= kMaxLength)) {
    validateNumber(size, 'size', 0, kMaxLength);
  }
}

function allocUnsafe(size) {
  checkSize(size);
  return binding.allocUnsafe(size);
}

function allocUnsafeSlow(size) {
  checkSize(size);
  return binding.allocUnsafe(size);
}

// `encoding` undefined or empty means utf8.
function fromString(string, encoding) {
  if (typeof encoding !== 'string' || encoding.length === 0) {
    return binding.fromString(string, utf8.id);
  }
  const found = findEncoding(encoding);
  if (found === undefined) throw new ERR_UNKNOWN_ENCODING(encoding);
  return binding.fromString(string, found.id);
}

function fromArrayBuffer(arrayBuffer, byteOffset, length) {
  if (byteOffset === undefined) {
    byteOffset = 0;
  } else {
    byteOffset = +byteOffset;
    if (Number.isNaN(byteOffset)) byteOffset = 0;
  }
  const maxLength = arrayBuffer.byteLength - byteOffset;
  if (maxLength < 0) throw new ERR_BUFFER_OUT_OF_BOUNDS('offset');
  if (length !== undefined) {
    length = +length;
    if (length > 0) {
      if (length > maxLength) throw new ERR_BUFFER_OUT_OF_BOUNDS('length');
    } else {
      length = 0;
    }
  }
  return new FastBuffer(arrayBuffer, byteOffset, length);
}

function fromArrayLike(source) {
  const { length } = source;
  if (!(length > 0)) return binding.allocUnsafe(0);
  if (isTypedArray(source)) {
    if (isUint8Array(source)) return binding.copyOf(source);
    const result = binding.alloc(length);
    bytesSet.call(result, source);
    return result;
  }
  checkSize(length);
  const result = binding.alloc(Math.trunc(length));
  if (Array.isArray(source)) {
    for (let i = 0; i < result.length; i++) result[i] = source[i];
  } else {
    bytesSet.call(result, source);
  }
  return result;
}

function fromObject(object) {
  if (object.length !== undefined || isAnyArrayBuffer(object.buffer)) {
    return typeof object.length === 'number' ? fromArrayLike(object) : binding.allocUnsafe(0);
  }
  if (object.type === 'Buffer' && Array.isArray(object.data)) return fromArrayLike(object.data);
  return undefined;
}

// Buffer.from. The order of the attempts is visible (getters, valueOf, toPrimitive).
function from(value, encodingOrOffset, length) {
  if (typeof value === 'string') return fromString(value, encodingOrOffset);
  if (typeof value === 'object' && value !== null) {
    if (isAnyArrayBuffer(value)) return fromArrayBuffer(value, encodingOrOffset, length);

    const valueOf = value.valueOf && value.valueOf();
    if (valueOf != null && valueOf !== value && (typeof valueOf === 'string' || typeof valueOf === 'object')) {
      return from(valueOf, encodingOrOffset, length);
    }

    const made = fromObject(value);
    if (made !== undefined) return made;

    if (typeof value[Symbol.toPrimitive] === 'function') {
      const primitive = value[Symbol.toPrimitive]('string');
      if (typeof primitive === 'string') return fromString(primitive, encodingOrOffset);
    }
  }
  throw new ERR_INVALID_ARG_TYPE('first argument', ['string', 'Buffer', 'ArrayBuffer', 'Array', 'Array-like Object'], value);
}

function copyBytesFrom(view, offset, length) {
  if (!isTypedArray(view)) throw new ERR_INVALID_ARG_TYPE('view', ['TypedArray'], view);
  const viewLength = view.length;
  if (viewLength === 0) return binding.allocUnsafe(0);

  if (offset !== undefined || length !== undefined) {
    let end = viewLength;
    if (offset !== undefined) {
      validateInteger(offset, 'offset', 0);
      if (offset >= viewLength) return binding.allocUnsafe(0);
    } else {
      offset = 0;
    }
    if (length !== undefined) {
      validateInteger(length, 'length', 0);
      end = Math.min(offset + length, viewLength);
    }
    view = view.subarray(offset, end);
  }
  return binding.copyOf(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
}

function of(...items) {
  const result = binding.alloc(items.length);
  for (let i = 0; i < items.length; i++) result[i] = items[i];
  return result;
}

module.exports = {
  FastBuffer,
  kMaxLength,
  isUint8Array,
  isTypedArray,
  isAnyArrayBuffer,
  checkSize,
  allocUnsafe,
  allocUnsafeSlow,
  from,
  copyBytesFrom,
  of,
};

// natives: crypto
//
// Random bytes and numbers of node:crypto and of the global crypto. All come from the kernel's generator; numbers and UUIDs
// take theirs from a small store, so that each does not cost a system call.

'use strict';

const { Buffer } = require('internal/buffer/buffer');
const binding = native('crypto');
const { codes, hideStackFrames } = require('internal/errors/coded');
const { validateBoolean, validateFunction, validateNumber, validateObject } = require('internal/util/validators');
const { enqueue } = require('internal/queues/ticks');

const kMaxSize = 2 ** 31 - 1;
const kMaxRange = 2 ** 48 - 1;

class Store {
  #bytes = Buffer.alloc(16 * 128);
  #at = this.#bytes.length;

  take(count) {
    if (this.#at + count > this.#bytes.length) {
      binding.fill(this.#bytes, 0, this.#bytes.length);
      this.#at = 0;
    }
    const start = this.#at;
    this.#at += count;
    return start;
  }

  uint48() {
    const start = this.take(6);
    const value = this.#bytes.readUIntBE(start, 6);
    this.#bytes.fill(0, start, start + 6);
    return value;
  }

  uuid(version, time) {
    return binding.uuid(this.#bytes, this.take(16), version, time);
  }
}
let store;
const stored = () => (store ??= new Store());

function sizeOf(size, name, limit, elementSize = 1) {
  validateNumber(size, name);
  const bytes = size * elementSize;
  if (Number.isNaN(bytes) || bytes > limit || bytes < 0) {
    throw new codes.ERR_OUT_OF_RANGE(name, `>= 0 && <= ${limit}`, bytes);
  }
  return bytes >>> 0;
}

function randomBytes(size, callback) {
  const count = sizeOf(size, 'size', kMaxSize);
  if (callback !== undefined) validateFunction(callback, 'callback');
  const bytes = Buffer.allocUnsafeSlow(count);
  if (callback === undefined) {
    binding.fill(bytes, 0, count);
    return bytes;
  }
  binding.fillLater(bytes, 0, count, () => callback(null, bytes));
}

function isAnyBuffer(value) {
  return ArrayBuffer.isView(value) || require('internal/util/util').types.isAnyArrayBuffer(value);
}

const checkBuffer = hideStackFrames((buffer) => {
  if (!isAnyBuffer(buffer)) throw new codes.ERR_INVALID_ARG_TYPE('buf', ['ArrayBuffer', 'ArrayBufferView'], buffer);
});

// → [offset, size] in bytes
function rangeOf(buffer, offset, size) {
  const elementSize = buffer.BYTES_PER_ELEMENT || 1;
  const start = offset === undefined ? 0 : sizeOf(offset, 'offset', buffer.byteLength, elementSize);
  const room = buffer.byteLength - start;
  if (size === undefined) return [start, room];
  const count = sizeOf(size, 'size', kMaxSize, elementSize);
  if (count > room) throw new codes.ERR_OUT_OF_RANGE('size + offset', `<= ${buffer.byteLength}`, count + start);
  return [start, count];
}

function randomFillSync(buffer, offset = 0, size) {
  checkBuffer(buffer);
  const [start, count] = each(rangeOf(buffer, offset, size));
  if (count > 0) binding.fill(buffer, start, count);
  return buffer;
}

function randomFill(buffer, offset, size, callback) {
  checkBuffer(buffer);
  if (typeof offset === 'function') {
    callback = offset;
    offset = size = undefined;
  } else if (typeof size === 'function') {
    callback = size;
    size = undefined;
  } else {
    validateFunction(callback, 'callback');
  }
  const [start, count] = each(rangeOf(buffer, offset, size));
  if (count === 0) enqueue(callback, [null, buffer]);
  else binding.fillLater(buffer, start, count, () => callback(null, buffer));
}

function randomInt(min, max, callback) {
  const onlyMax = max === undefined || typeof max === 'function';
  if (onlyMax) {
    callback = max;
    max = min;
    min = 0;
  }
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (!Number.isSafeInteger(min)) throw new codes.ERR_INVALID_ARG_TYPE('min', 'a safe integer', min);
  if (!Number.isSafeInteger(max)) throw new codes.ERR_INVALID_ARG_TYPE('max', 'a safe integer', max);
  if (max <= min) throw new codes.ERR_OUT_OF_RANGE('max', `greater than the value of "min" (${min})`, max);
  const range = max - min;
  if (!(range <= kMaxRange)) throw new codes.ERR_OUT_OF_RANGE(onlyMax ? 'max' : 'max - min', `<= ${kMaxRange}`, range);
  // Values of the last, incomplete run of the range would come too often.
  const fair = 2 ** 48 - (2 ** 48 % range);
  let drawn = stored().uint48();
  while (drawn >= fair) drawn = stored().uint48();
  const result = min + (drawn % range);
  if (callback === undefined) return result;
  enqueue(callback, [undefined, result]);
}

function usesStore(options) {
  if (options === undefined) return true;
  validateObject(options, 'options');
  const { disableEntropyCache = false } = options;
  validateBoolean(disableEntropyCache, 'options.disableEntropyCache');
  return !disableEntropyCache;
}

function uuid(options, version, time) {
  return usesStore(options) ? stored().uuid(version, time) : binding.uuid(randomBytes(16), 0, version, time);
}

function randomUUID(options) {
  return uuid(options, 4, undefined);
}
function randomUUIDv7(options) {
  return uuid(options, 7, Date.now());
}

module.exports = { randomBytes, randomFill, randomFillSync, randomInt, randomUUID, randomUUIDv7 };

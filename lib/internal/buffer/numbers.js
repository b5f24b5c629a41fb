// natives: none
// The number readers and writers of Buffer.prototype: fixed-width and
// variable-width integers, big integers, floats. Plain JavaScript on purpose:
// indexed access on a Uint8Array is what the engine's optimiser does best, and
// a call into C++ would cost more than the bytes.
// The checks are written out in each function: the optimiser rewards it.
// Installed on Buffer.prototype by node/buffer.js; nothing else calls it.
'use strict';

const {
  codes: { ERR_BUFFER_OUT_OF_BOUNDS, ERR_OUT_OF_RANGE },
} = require('internal/errors/coded');
const { validateNumber } = require('internal/util/validators');

const scratch = new Uint8Array(8);
const float32 = new Float32Array(scratch.buffer, 0, 1);
const float64 = new Float64Array(scratch.buffer);
const bigInt64 = new BigInt64Array(scratch.buffer);
const bigUint64 = new BigUint64Array(scratch.buffer);

function rejectOffset(value, lastValid, name) {
  if (Math.floor(value) !== value) {
    validateNumber(value, name);
    throw new ERR_OUT_OF_RANGE(name, 'an integer', value);
  }
  if (lastValid < 0) throw new ERR_BUFFER_OUT_OF_BOUNDS();
  const least = name === 'byteLength' ? 1 : 0;
  throw new ERR_OUT_OF_RANGE(name, `>= ${least} and <= ${lastValid}`, value);
}

// The cold half of every access: says why `width` bytes at `offset` are not there.
function badAccess(buffer, offset, width) {
  validateNumber(offset, 'offset');
  rejectOffset(offset, buffer.length - width, 'offset');
}

function badByteLength(byteLength) {
  validateNumber(byteLength, 'byteLength');
  rejectOffset(byteLength, 6, 'byteLength');
}

function badValue(value, min, max, width) {
  const n = typeof min === 'bigint' ? 'n' : '';
  let range;
  if (width > 4) {
    const bits = width * 8;
    range =
      min === 0 || min === 0n ? `>= 0${n} and < 2${n} ** ${bits}${n}` : `>= -(2${n} ** ${bits - 1}${n}) and < 2${n} ** ${bits - 1}${n}`;
  } else {
    range = `>= ${min}${n} and <= ${max}${n}`;
  }
  throw new ERR_OUT_OF_RANGE('value', range, value);
}

// Each method is a check of its arguments, the bytes, and a call for everything unusual: a missing offset, a value to be converted or
// refused. Check and bytes are two functions because the optimiser puts functions of up to 120 bytes of bytecode into their callers;
// `undefined` alone, a name to be looked up, would take sixteen of them, a default value as many, and a second call twenty.

const coldRead = (width, read) => (buffer, offset) => {
  if (offset === undefined) offset = 0;
  if (typeof offset !== 'number' || buffer[offset] === undefined || buffer[offset + width - 1] === undefined)
    badAccess(buffer, offset, width);
  return read(buffer, offset);
};

const coldWrite = (width, min, max, write) => (buffer, value, offset) => {
  if (offset === undefined) offset = 0;
  value = +value;
  if (width === 1 && typeof offset !== 'number') badAccess(buffer, offset, width);
  if (value > max || value < min) badValue(value, min, max, width);
  if (typeof offset !== 'number' || buffer[offset] === undefined || buffer[offset + width - 1] === undefined)
    badAccess(buffer, offset, width);
  return write(buffer, value, offset);
};

// --- one byte

const getUInt8 = (b, i) => b[i];
const coldReadUInt8 = coldRead(1, getUInt8);

function readUInt8(offset) {
  return (typeof offset !== 'number' || this[offset] === void 0 ? coldReadUInt8 : getUInt8)(this, offset);
}

const getInt8 = (b, i) => (b[i] << 24) >> 24;
const coldReadInt8 = coldRead(1, getInt8);

function readInt8(offset) {
  return (typeof offset !== 'number' || this[offset] === void 0 ? coldReadInt8 : getInt8)(this, offset);
}

function put8(b, value, i) {
  b[i] = value;
  return i + 1;
}

const coldWriteUInt8 = coldWrite(1, 0, 0xff, put8);

function writeUInt8(value, offset) {
  return (
    typeof value === 'number' && typeof offset === 'number' && (value & 0xff) === value && offset >= 0 && this[offset] !== void 0
      ? put8
      : coldWriteUInt8
  )(this, value, offset);
}

const coldWriteInt8 = coldWrite(1, -0x80, 0x7f, put8);

function writeInt8(value, offset) {
  return (
    typeof value === 'number' && typeof offset === 'number' && (value << 24) >> 24 === value && offset >= 0 && this[offset] !== void 0
      ? put8
      : coldWriteInt8
  )(this, value, offset);
}

// --- two bytes

const getUInt16LE = (b, i) => b[i] | (b[i + 1] << 8);
const coldReadUInt16LE = coldRead(2, getUInt16LE);

function readUInt16LE(offset) {
  return (typeof offset !== 'number' || this[offset] === void 0 || this[offset + 1] === void 0 ? coldReadUInt16LE : getUInt16LE)(
    this,
    offset,
  );
}

const getUInt16BE = (b, i) => (b[i] << 8) | b[i + 1];
const coldReadUInt16BE = coldRead(2, getUInt16BE);

function readUInt16BE(offset) {
  return (typeof offset !== 'number' || this[offset] === void 0 || this[offset + 1] === void 0 ? coldReadUInt16BE : getUInt16BE)(
    this,
    offset,
  );
}

const getInt16LE = (b, i) => ((b[i] << 16) | (b[i + 1] << 24)) >> 16;
const coldReadInt16LE = coldRead(2, getInt16LE);

function readInt16LE(offset) {
  return (typeof offset !== 'number' || this[offset] === void 0 || this[offset + 1] === void 0 ? coldReadInt16LE : getInt16LE)(
    this,
    offset,
  );
}

const getInt16BE = (b, i) => ((b[i] << 24) | (b[i + 1] << 16)) >> 16;
const coldReadInt16BE = coldRead(2, getInt16BE);

function readInt16BE(offset) {
  return (typeof offset !== 'number' || this[offset] === void 0 || this[offset + 1] === void 0 ? coldReadInt16BE : getInt16BE)(
    this,
    offset,
  );
}

function put16LE(b, value, i) {
  b[i] = value;
  b[i + 1] = value >>> 8;
  return i + 2;
}

function put16BE(b, value, i) {
  b[i] = value >>> 8;
  b[i + 1] = value;
  return i + 2;
}

const coldWriteUInt16LE = coldWrite(2, 0, 0xffff, put16LE);

function writeUInt16LE(value, offset) {
  return (
    typeof value === 'number' && typeof offset === 'number' && (value & 0xffff) === value && offset >= 0 && this[offset + 1] !== void 0
      ? put16LE
      : coldWriteUInt16LE
  )(this, value, offset);
}

const coldWriteUInt16BE = coldWrite(2, 0, 0xffff, put16BE);

function writeUInt16BE(value, offset) {
  return (
    typeof value === 'number' && typeof offset === 'number' && (value & 0xffff) === value && offset >= 0 && this[offset + 1] !== void 0
      ? put16BE
      : coldWriteUInt16BE
  )(this, value, offset);
}

const coldWriteInt16LE = coldWrite(2, -0x8000, 0x7fff, put16LE);

function writeInt16LE(value, offset) {
  return (
    typeof value === 'number' && typeof offset === 'number' && (value << 16) >> 16 === value && offset >= 0 && this[offset + 1] !== void 0
      ? put16LE
      : coldWriteInt16LE
  )(this, value, offset);
}

const coldWriteInt16BE = coldWrite(2, -0x8000, 0x7fff, put16BE);

function writeInt16BE(value, offset) {
  return (
    typeof value === 'number' && typeof offset === 'number' && (value << 16) >> 16 === value && offset >= 0 && this[offset + 1] !== void 0
      ? put16BE
      : coldWriteInt16BE
  )(this, value, offset);
}

// --- four bytes

const getUInt32LE = (b, i) => (b[i] | (b[i + 1] << 8) | (b[i + 2] << 16) | (b[i + 3] << 24)) >>> 0;
const coldReadUInt32LE = coldRead(4, getUInt32LE);

function readUInt32LE(offset) {
  return (typeof offset !== 'number' || this[offset] === void 0 || this[offset + 3] === void 0 ? coldReadUInt32LE : getUInt32LE)(
    this,
    offset,
  );
}

const getUInt32BE = (b, i) => ((b[i] << 24) | (b[i + 1] << 16) | (b[i + 2] << 8) | b[i + 3]) >>> 0;
const coldReadUInt32BE = coldRead(4, getUInt32BE);

function readUInt32BE(offset) {
  return (typeof offset !== 'number' || this[offset] === void 0 || this[offset + 3] === void 0 ? coldReadUInt32BE : getUInt32BE)(
    this,
    offset,
  );
}

const getInt32LE = (b, i) => b[i] | (b[i + 1] << 8) | (b[i + 2] << 16) | (b[i + 3] << 24);
const coldReadInt32LE = coldRead(4, getInt32LE);

function readInt32LE(offset) {
  return (typeof offset !== 'number' || this[offset] === void 0 || this[offset + 3] === void 0 ? coldReadInt32LE : getInt32LE)(
    this,
    offset,
  );
}

const getInt32BE = (b, i) => (b[i] << 24) | (b[i + 1] << 16) | (b[i + 2] << 8) | b[i + 3];
const coldReadInt32BE = coldRead(4, getInt32BE);

function readInt32BE(offset) {
  return (typeof offset !== 'number' || this[offset] === void 0 || this[offset + 3] === void 0 ? coldReadInt32BE : getInt32BE)(
    this,
    offset,
  );
}

function put32LE(b, value, i) {
  b[i] = value;
  b[i + 1] = value >>> 8;
  b[i + 2] = value >>> 16;
  b[i + 3] = value >>> 24;
  return i + 4;
}

function put32BE(b, value, i) {
  b[i] = value >>> 24;
  b[i + 1] = value >>> 16;
  b[i + 2] = value >>> 8;
  b[i + 3] = value;
  return i + 4;
}

const coldWriteUInt32LE = coldWrite(4, 0, 0xffffffff, put32LE);

function writeUInt32LE(value, offset) {
  return (
    typeof value === 'number' && typeof offset === 'number' && value >>> 0 === value && offset >= 0 && this[offset + 3] !== void 0
      ? put32LE
      : coldWriteUInt32LE
  )(this, value, offset);
}

const coldWriteUInt32BE = coldWrite(4, 0, 0xffffffff, put32BE);

function writeUInt32BE(value, offset) {
  return (
    typeof value === 'number' && typeof offset === 'number' && value >>> 0 === value && offset >= 0 && this[offset + 3] !== void 0
      ? put32BE
      : coldWriteUInt32BE
  )(this, value, offset);
}

const coldWriteInt32LE = coldWrite(4, -0x80000000, 0x7fffffff, put32LE);

function writeInt32LE(value, offset) {
  return (
    typeof value === 'number' && typeof offset === 'number' && (value | 0) === value && offset >= 0 && this[offset + 3] !== void 0
      ? put32LE
      : coldWriteInt32LE
  )(this, value, offset);
}

const coldWriteInt32BE = coldWrite(4, -0x80000000, 0x7fffffff, put32BE);

function writeInt32BE(value, offset) {
  return (
    typeof value === 'number' && typeof offset === 'number' && (value | 0) === value && offset >= 0 && this[offset + 3] !== void 0
      ? put32BE
      : coldWriteInt32BE
  )(this, value, offset);
}

const methods = {
  readUInt32LE,
  readUInt16LE,
  readUInt8,
  readUInt32BE,
  readUInt16BE,
  readInt32LE,
  readInt16LE,
  readInt8,
  readInt32BE,
  readInt16BE,
  writeUInt32LE,
  writeUInt16LE,
  writeUInt8,
  writeUInt32BE,
  writeUInt16BE,
  writeInt32LE,
  writeInt16LE,
  writeInt8,
  writeInt32BE,
  writeInt16BE,
};
// The offset may be left out; Node's readers count it all the same.
for (const name of each(Object.keys(methods))) {
  if (name[0] === 'w') Object.defineProperty(methods[name], 'length', { configurable: true, value: 1 });
}

module.exports = {
  badAccess,
  badByteLength,
  badValue,
  scratch,
  float32,
  float64,
  bigInt64,
  bigUint64,
  methods,
};

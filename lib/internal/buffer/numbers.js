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

// --- one byte

function readUInt8(offset = 0) {
  const byte = this[offset];
  if (byte === undefined || typeof offset !== 'number') badAccess(this, offset, 1);
  return byte;
}

function readInt8(offset = 0) {
  const byte = this[offset];
  if (byte === undefined || typeof offset !== 'number') badAccess(this, offset, 1);
  return (byte << 24) >> 24;
}

function writeByte(buffer, value, offset, min, max) {
  value = +value;
  if (typeof offset !== 'number') badAccess(buffer, offset, 1);
  if (value > max || value < min) badValue(value, min, max, 1);
  if (buffer[offset] === undefined) badAccess(buffer, offset, 1);
  buffer[offset] = value;
  return offset + 1;
}

function writeUInt8(value, offset = 0) {
  return writeByte(this, value, offset, 0, 0xff);
}

function writeInt8(value, offset = 0) {
  return writeByte(this, value, offset, -0x80, 0x7f);
}

// --- two bytes

function readUInt16LE(offset = 0) {
  const first = this[offset],
    last = this[offset + 1];
  if (first === undefined || last === undefined || typeof offset !== 'number') badAccess(this, offset, 2);
  return first | (last << 8);
}

function readUInt16BE(offset = 0) {
  const first = this[offset],
    last = this[offset + 1];
  if (first === undefined || last === undefined || typeof offset !== 'number') badAccess(this, offset, 2);
  return (first << 8) | last;
}

function readInt16LE(offset = 0) {
  const first = this[offset],
    last = this[offset + 1];
  if (first === undefined || last === undefined || typeof offset !== 'number') badAccess(this, offset, 2);
  return ((first | (last << 8)) << 16) >> 16;
}

function readInt16BE(offset = 0) {
  const first = this[offset],
    last = this[offset + 1];
  if (first === undefined || last === undefined || typeof offset !== 'number') badAccess(this, offset, 2);
  return (((first << 8) | last) << 16) >> 16;
}

function put16LE(buffer, value, offset, min, max) {
  value = +value;
  if (value > max || value < min) badValue(value, min, max, 2);
  if (typeof offset !== 'number' || buffer[offset] === undefined || buffer[offset + 1] === undefined) {
    badAccess(buffer, offset, 2);
  }
  buffer[offset] = value;
  buffer[offset + 1] = value >>> 8;
  return offset + 2;
}

function put16BE(buffer, value, offset, min, max) {
  value = +value;
  if (value > max || value < min) badValue(value, min, max, 2);
  if (typeof offset !== 'number' || buffer[offset] === undefined || buffer[offset + 1] === undefined) {
    badAccess(buffer, offset, 2);
  }
  buffer[offset] = value >>> 8;
  buffer[offset + 1] = value;
  return offset + 2;
}

function writeUInt16LE(value, offset = 0) {
  return put16LE(this, value, offset, 0, 0xffff);
}

function writeUInt16BE(value, offset = 0) {
  return put16BE(this, value, offset, 0, 0xffff);
}

function writeInt16LE(value, offset = 0) {
  return put16LE(this, value, offset, -0x8000, 0x7fff);
}

function writeInt16BE(value, offset = 0) {
  return put16BE(this, value, offset, -0x8000, 0x7fff);
}

// --- four bytes

function readUInt32LE(offset = 0) {
  const first = this[offset],
    last = this[offset + 3];
  if (first === undefined || last === undefined || typeof offset !== 'number') badAccess(this, offset, 4);
  return (first | (this[offset + 1] << 8) | (this[offset + 2] << 16) | (last << 24)) >>> 0;
}

function readUInt32BE(offset = 0) {
  const first = this[offset],
    last = this[offset + 3];
  if (first === undefined || last === undefined || typeof offset !== 'number') badAccess(this, offset, 4);
  return ((first << 24) | (this[offset + 1] << 16) | (this[offset + 2] << 8) | last) >>> 0;
}

function readInt32LE(offset = 0) {
  const first = this[offset],
    last = this[offset + 3];
  if (first === undefined || last === undefined || typeof offset !== 'number') badAccess(this, offset, 4);
  return first | (this[offset + 1] << 8) | (this[offset + 2] << 16) | (last << 24);
}

function readInt32BE(offset = 0) {
  const first = this[offset],
    last = this[offset + 3];
  if (first === undefined || last === undefined || typeof offset !== 'number') badAccess(this, offset, 4);
  return (first << 24) | (this[offset + 1] << 16) | (this[offset + 2] << 8) | last;
}

function put32LE(buffer, value, offset, min, max) {
  value = +value;
  if (value > max || value < min) badValue(value, min, max, 4);
  if (typeof offset !== 'number' || buffer[offset] === undefined || buffer[offset + 3] === undefined) {
    badAccess(buffer, offset, 4);
  }
  buffer[offset] = value;
  buffer[offset + 1] = value >>> 8;
  buffer[offset + 2] = value >>> 16;
  buffer[offset + 3] = value >>> 24;
  return offset + 4;
}

function put32BE(buffer, value, offset, min, max) {
  value = +value;
  if (value > max || value < min) badValue(value, min, max, 4);
  if (typeof offset !== 'number' || buffer[offset] === undefined || buffer[offset + 3] === undefined) {
    badAccess(buffer, offset, 4);
  }
  buffer[offset] = value >>> 24;
  buffer[offset + 1] = value >>> 16;
  buffer[offset + 2] = value >>> 8;
  buffer[offset + 3] = value;
  return offset + 4;
}

function writeUInt32LE(value, offset = 0) {
  return put32LE(this, value, offset, 0, 0xffffffff);
}

function writeUInt32BE(value, offset = 0) {
  return put32BE(this, value, offset, 0, 0xffffffff);
}

function writeInt32LE(value, offset = 0) {
  return put32LE(this, value, offset, -0x80000000, 0x7fffffff);
}

function writeInt32BE(value, offset = 0) {
  return put32BE(this, value, offset, -0x80000000, 0x7fffffff);
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
  methods: {
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
  },
};

// natives: none
// The wider half of Buffer's number methods: integers of one to six bytes,
// 64-bit big integers, floats and doubles. numbers.js holds the hot fixed
// widths and the checks both share. Installed by node/buffer.js.
'use strict';

const { badAccess, badByteLength, badValue, scratch, float32, float64, bigInt64, bigUint64 } = require('internal/buffer/numbers');
const {
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');

function checkAccess(buffer, offset, width) {
  if (typeof offset !== 'number' || buffer[offset] === undefined || buffer[offset + width - 1] === undefined) {
    badAccess(buffer, offset, width);
  }
}

function checkWidth(byteLength) {
  if (byteLength === 1 || byteLength === 2 || byteLength === 3 || byteLength === 4 || byteLength === 5 || byteLength === 6) return;
  badByteLength(byteLength);
}

// --- integers of one to six bytes

function takeLE(buffer, offset, byteLength) {
  let value = 0,
    scale = 1;
  for (let i = 0; i < byteLength; i++, scale *= 0x100) value += buffer[offset + i] * scale;
  return value;
}

function takeBE(buffer, offset, byteLength) {
  let value = 0;
  for (let i = 0; i < byteLength; i++) value = value * 0x100 + buffer[offset + i];
  return value;
}

function toSigned(value, byteLength) {
  const half = 2 ** (8 * byteLength - 1);
  return value >= half ? value - 2 * half : value;
}

function checkRead(buffer, offset, byteLength) {
  if (offset === undefined) throw new ERR_INVALID_ARG_TYPE('offset', 'number', offset);
  checkWidth(byteLength);
  checkAccess(buffer, offset, byteLength);
}

function readUIntLE(offset, byteLength) {
  checkRead(this, offset, byteLength);
  return takeLE(this, offset, byteLength);
}

function readUIntBE(offset, byteLength) {
  checkRead(this, offset, byteLength);
  return takeBE(this, offset, byteLength);
}

function readIntLE(offset, byteLength) {
  checkRead(this, offset, byteLength);
  return toSigned(takeLE(this, offset, byteLength), byteLength);
}

function readIntBE(offset, byteLength) {
  checkRead(this, offset, byteLength);
  return toSigned(takeBE(this, offset, byteLength), byteLength);
}

function checkPut(buffer, value, offset, byteLength, isSigned) {
  const span = 2 ** (8 * byteLength);
  const min = isSigned ? -span / 2 : 0;
  const max = (isSigned ? span / 2 : span) - 1;
  if (byteLength === 1) {
    if (typeof offset !== 'number') badAccess(buffer, offset, 1);
  }
  if (value > max || value < min) badValue(value, min, max, byteLength);
  checkAccess(buffer, offset, byteLength);
}

// Splits at 32 bits: `>>>` sees only the low word, floor keeps the high one exact.
function putBytes(buffer, value, offset, byteLength, step) {
  let at = step > 0 ? offset : offset + byteLength - 1;
  let low = value >>> 0;
  const high = Math.floor(value / 0x100000000);
  for (let i = 0; i < byteLength; i++, at += step) {
    if (i === 4) low = high >>> 0;
    buffer[at] = low;
    low >>>= 8;
  }
  return offset + byteLength;
}

function writeUIntLE(value, offset, byteLength) {
  checkWidth(byteLength);
  value = +value;
  checkPut(this, value, offset, byteLength, false);
  return putBytes(this, value, offset, byteLength, 1);
}

function writeUIntBE(value, offset, byteLength) {
  checkWidth(byteLength);
  value = +value;
  checkPut(this, value, offset, byteLength, false);
  return putBytes(this, value, offset, byteLength, -1);
}

function writeIntLE(value, offset, byteLength) {
  checkWidth(byteLength);
  value = +value;
  checkPut(this, value, offset, byteLength, true);
  return putBytes(this, value, offset, byteLength, 1);
}

function writeIntBE(value, offset, byteLength) {
  checkWidth(byteLength);
  value = +value;
  checkPut(this, value, offset, byteLength, true);
  return putBytes(this, value, offset, byteLength, -1);
}

// --- floats and big integers, through one eight-byte scratch area (little-endian hosts)

function load(buffer, offset, width) {
  checkAccess(buffer, offset, width);
  for (let i = 0; i < width; i++) scratch[i] = buffer[offset + i];
}

function loadReversed(buffer, offset, width) {
  checkAccess(buffer, offset, width);
  for (let i = 0; i < width; i++) scratch[width - 1 - i] = buffer[offset + i];
}

function store(buffer, offset, width) {
  checkAccess(buffer, offset, width);
  for (let i = 0; i < width; i++) buffer[offset + i] = scratch[i];
  return offset + width;
}

function storeReversed(buffer, offset, width) {
  checkAccess(buffer, offset, width);
  for (let i = 0; i < width; i++) buffer[offset + i] = scratch[width - 1 - i];
  return offset + width;
}

function readFloatLE(offset = 0) {
  load(this, offset, 4);
  return float32[0];
}

function readFloatBE(offset = 0) {
  loadReversed(this, offset, 4);
  return float32[0];
}

function readDoubleLE(offset = 0) {
  load(this, offset, 8);
  return float64[0];
}

function readDoubleBE(offset = 0) {
  loadReversed(this, offset, 8);
  return float64[0];
}

function writeFloatLE(value, offset = 0) {
  float32[0] = +value;
  return store(this, offset, 4);
}

function writeFloatBE(value, offset = 0) {
  float32[0] = +value;
  return storeReversed(this, offset, 4);
}

function writeDoubleLE(value, offset = 0) {
  float64[0] = +value;
  return store(this, offset, 8);
}

function writeDoubleBE(value, offset = 0) {
  float64[0] = +value;
  return storeReversed(this, offset, 8);
}

function readBigUInt64LE(offset = 0) {
  load(this, offset, 8);
  return bigUint64[0];
}

function readBigUInt64BE(offset = 0) {
  loadReversed(this, offset, 8);
  return bigUint64[0];
}

function readBigInt64LE(offset = 0) {
  load(this, offset, 8);
  return bigInt64[0];
}

function readBigInt64BE(offset = 0) {
  loadReversed(this, offset, 8);
  return bigInt64[0];
}

const kMaxU64 = 0xffffffffffffffffn;
const kMinI64 = -0x8000000000000000n;
const kMaxI64 = 0x7fffffffffffffffn;

// Strings convert to BigInt in an array store; here they are a TypeError, after those of the offset.
function requireBigInt(value, buffer, offset) {
  if (typeof value === 'bigint') return;
  checkAccess(buffer, offset, 8);
  throw new TypeError('Cannot mix BigInt and other types, use explicit conversions');
}

function stageUnsigned(value, buffer, offset) {
  if (value > kMaxU64 || value < 0n) badValue(value, 0n, kMaxU64, 8);
  requireBigInt(value, buffer, offset);
  bigUint64[0] = value;
}

function stageSigned(value, buffer, offset) {
  if (value > kMaxI64 || value < kMinI64) badValue(value, kMinI64, kMaxI64, 8);
  requireBigInt(value, buffer, offset);
  bigInt64[0] = value;
}

function writeBigUInt64LE(value, offset = 0) {
  stageUnsigned(value, this, offset);
  return store(this, offset, 8);
}

function writeBigUInt64BE(value, offset = 0) {
  stageUnsigned(value, this, offset);
  return storeReversed(this, offset, 8);
}

function writeBigInt64LE(value, offset = 0) {
  stageSigned(value, this, offset);
  return store(this, offset, 8);
}

function writeBigInt64BE(value, offset = 0) {
  stageSigned(value, this, offset);
  return storeReversed(this, offset, 8);
}

module.exports = {
  readUIntLE,
  readUIntBE,
  readIntLE,
  readIntBE,
  writeUIntLE,
  writeUIntBE,
  writeIntLE,
  writeIntBE,
  readFloatLE,
  readFloatBE,
  readDoubleLE,
  readDoubleBE,
  writeFloatLE,
  writeFloatBE,
  writeDoubleLE,
  writeDoubleBE,
  readBigUInt64LE,
  readBigUInt64BE,
  readBigInt64LE,
  readBigInt64BE,
  writeBigUInt64LE,
  writeBigUInt64BE,
  writeBigInt64LE,
  writeBigInt64BE,
};

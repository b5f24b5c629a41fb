// natives: none
// ArrayBuffer.prototype.detached, transfer and transferToFixedLength, and half-precision numbers of a DataView: https://tc39.es/ecma262.
'use strict';

// Of the realm that this file is loaded in; the exported function sets them.
let ArrayBuffer;
let RangeError;
let TypeError;
let Uint8Array;
let abs;
let apply;
let floor;
let getByteLength;
let getMaxByteLength;
let getResizable;
let getUint16;
let log2;
let set;
let setUint16;
let transfer;

module.exports = (intrinsics) => {
  ({ ArrayBuffer, RangeError, TypeError, Uint8Array, abs, apply, floor, log2 } = intrinsics);
  ({ getByteLength, getMaxByteLength, getResizable, getUint16, set, setUint16, transfer } = intrinsics.bufferMethods);
  const { f16round } = intrinsics.load('internal/language/small')(intrinsics);
  return methodsWith(f16round);
};

// Views are made of a buffer unless it is detached; one that is no ArrayBuffer fails at its length.
function isDetached(buffer) {
  if (apply(getByteLength, buffer, []) > 0) return false;
  try {
    new Uint8Array(buffer);
    return false;
  } catch {
    return true;
  }
}

// https://tc39.es/ecma262/#sec-toindex
function toIndex(value) {
  const number = +value;
  const isFinite = abs(number) < Infinity;
  const whole = isFinite ? number - (number % 1) : number !== number ? 0 : number;
  if (whole < 0 || whole > 2 ** 53 - 1) throw new RangeError('Invalid array buffer length');
  return whole + 0;
}

const kExponentBias = 15;
const kFractionBits = 10;

function fromBits(bits) {
  const exponent = (bits >> kFractionBits) & 31;
  const fraction = bits & 1023;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - kExponentBias);
}

// `value` is one that half precision has.
function toBits(value) {
  if (value !== value) return 0x7e00;
  const sign = value < 0 || (value === 0 && 1 / value < 0) ? 0x8000 : 0;
  const size = abs(value);
  if (size === Infinity) return sign | 0x7c00;
  if (size < 2 ** -14) return sign | (size * 2 ** 24);
  const exponent = floor(log2(size));
  return sign | ((exponent + kExponentBias) << kFractionBits) | ((size / 2 ** exponent - 1) * 1024);
}

const methodsWith = (f16round) => ({
  isDetached,

  // The engine's own transfer() makes a buffer of fixed length of a resizable one. The parameter does not count in the length of either.
  transferToFixedLength() {
    const newLength = arguments[0];
    return apply(transfer, this, newLength === undefined ? [] : [newLength]);
  },

  transfer() {
    const newLength = arguments[0];
    const length = apply(getByteLength, this, []);
    if (!apply(getResizable, this, [])) return apply(transfer, this, newLength === undefined ? [] : [newLength]);
    const size = newLength === undefined ? length : toIndex(newLength);
    if (isDetached(this)) throw new TypeError('Cannot perform ArrayBuffer.prototype.transfer on a detached ArrayBuffer');
    const moved = new ArrayBuffer(size, { __proto__: null, maxByteLength: apply(getMaxByteLength, this, []) });
    apply(set, new Uint8Array(moved), [new Uint8Array(this, 0, size < length ? size : length)]);
    apply(transfer, this, [0]);
    return moved;
  },

  getFloat16(byteOffset) {
    return fromBits(apply(getUint16, this, [byteOffset, arguments[1]]));
  },

  setFloat16(byteOffset, value) {
    apply(setUint16, this, [toIndex(byteOffset), toBits(f16round(+value)), arguments[2]]);
  },
});

// natives: util
// Small functions of the language that the engine may lack; bootstrap/05_language hangs them
// where they belong. Each reads its receiver from `this`.
'use strict';

const { isNativeError } = native('util');

module.exports = {
  try(callback, ...args) {
    return new this((resolve) => resolve(callback(...args)));
  },

  isError(value) { return isNativeError(value); },

  // https://tc39.es/ecma262/#sec-regexp.escape
  escape(text) {
    if (typeof text !== 'string') throw new TypeError('RegExp.escape expects a string');
    let out = '';
    for (const character of text) out += escapeCharacter(character, out === '');
    return out;
  },

  f16round(value) { return roundToHalf(+value); },

  getOrInsert(key, value) {
    if (this.has(key)) return this.get(key);
    this.set(key, value);
    return value;
  },

  getOrInsertComputed(key, callback) {
    if (typeof callback !== 'function') throw new TypeError('callback is not a function');
    if (this.has(key)) return this.get(key);
    const value = callback(key);
    this.set(key, value);
    return value;
  },
};

const kControls = { '\t': '\\t', '\n': '\\n', '\v': '\\v', '\f': '\\f', '\r': '\\r' };
const hex = (code, length) => code.toString(16).padStart(length, '0');

function escapeCharacter(character, isFirst) {
  const code = character.codePointAt(0);
  if (isFirst && /^[0-9A-Za-z]$/.test(character)) return `\\x${hex(code, 2)}`;
  if (/^[$()*+./?[\\\]^{|}]$/.test(character)) return `\\${character}`;
  if (kControls[character] !== undefined) return kControls[character];
  const isOdd = /^[,\-=<>#&!%:;@~'`"]$/.test(character) || /^\s$/.test(character) || (code >= 0xD800 && code <= 0xDFFF);
  if (!isOdd) return character;
  return code <= 0xFF ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`;
}

// To the nearest half-precision value, ties to even.
function roundToHalf(value) {
  if (!Number.isFinite(value) || value === 0) return value;
  const size = Math.abs(value);
  if (size >= 65520) return Math.sign(value) * Infinity;
  const exponent = Math.max(Math.floor(Math.log2(size)), -14);
  const step = 2 ** (exponent - 10);
  const scaled = size / step;
  const floor = Math.floor(scaled);
  const rest = scaled - floor;
  const rounded = rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
  return Math.sign(value) * rounded * step;
}

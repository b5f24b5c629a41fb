// natives: util
// Small functions of the language; see realm.js. Each reads its receiver from `this`.
'use strict';

const newCapability = require('internal/language/promise_capability');

const { isNativeError } = native('util');

// Of the realm that this file is loaded in; the exported function sets them.
let Map;
let TypeError;
let abs;
let apply;
let floor;
let log2;
let mapMethods;
let sign;
let weakMapMethods;

module.exports = (intrinsics) => {
  ({ Map, TypeError, abs, apply, floor, log2, sign, weakMapMethods } = intrinsics);
  ({ mapMethods } = intrinsics);
  const map = insertersFor(intrinsics.mapMethods, () => {});
  const weakMap = insertersFor(weakMapMethods, needWeakKey);
  return { ...functions, map, weakMap };
};

// To the nearest half-precision value, ties to even.
function roundToHalf(value) {
  const size = abs(value);
  if (!(size > 0 && size < Infinity)) return value;
  if (size >= 65520) return sign(value) * Infinity;
  const exponent = floor(log2(size));
  const step = 2 ** ((exponent > -14 ? exponent : -14) - 10);
  const scaled = size / step;
  const whole = floor(scaled);
  const rest = scaled - whole;
  const rounded = rest > 0.5 || (rest === 0.5 && whole % 2 === 1) ? whole + 1 : whole;
  return sign(value) * rounded * step;
}

// The methods for one kind of map, whose own are given: a WeakMap refuses keys when it sets, too late for a callback.
function insertersFor(methods, checkKey) {
  const { 0: has, 1: get, 2: set } = methods;
  return {
    getOrInsert(key, value) {
      if (apply(has, this, [key])) return apply(get, this, [key]);
      apply(set, this, [key, value]);
      return value;
    },

    getOrInsertComputed(key, callback) {
      const isThere = apply(has, this, [key]);
      if (typeof callback !== 'function') throw new TypeError(`${typeof callback} is not a function`);
      if (isThere) return apply(get, this, [key]);
      if (key === 0) key = 0; // not -0
      checkKey(this, key);
      const value = callback(key);
      apply(set, this, [key, value]);
      return value;
    },
  };
}

function needWeakKey(map, key) {
  apply(weakMapMethods[2], map, [key, undefined]);
  apply(weakMapMethods[3], map, [key]);
}

const functions = {
  try(callback, ...args) {
    const { promise, resolve, reject } = newCapability(this, TypeError, 'try');
    let value;
    try {
      value = apply(callback, undefined, args);
    } catch (error) {
      reject(error);
      return promise;
    }
    resolve(value);
    return promise;
  },

  // https://tc39.es/ecma262/#sec-map.groupby
  groupBy(items, callback) {
    if (items === undefined || items === null) throw new TypeError(`${items} is not iterable`);
    if (typeof callback !== 'function') throw new TypeError(`${typeof callback} is not a function`);
    const { 1: get, 2: set } = mapMethods;
    const groups = new Map();
    let index = 0;
    for (const value of items) {
      const key = callback(value, index++);
      const group = apply(get, groups, [key]);
      if (group === undefined) apply(set, groups, [key, [value]]);
      else group[group.length] = value;
    }
    return groups;
  },

  isError(value) {
    return isNativeError(value);
  },

  // https://tc39.es/ecma262/#sec-regexp.escape
  escape(text) {
    if (typeof text !== 'string') throw new TypeError('RegExp.escape expects a string');
    let out = '';
    for (const character of text) out += escapeCharacter(character, out === '');
    return out;
  },

  f16round(value) {
    return roundToHalf(+value);
  },

  // https://tc39.es/proposal-atomics-microwait: a hint to the processor, of which there is none here.
  pause(count = undefined) {
    if (count === undefined) return;
    if (typeof count !== 'number' || count % 1 !== 0) throw new TypeError('Atomics.pause takes a whole number');
  },
};

const kControls = { '\t': '\\t', '\n': '\\n', '\v': '\\v', '\f': '\\f', '\r': '\\r' };
const hex = (code, length) => code.toString(16).padStart(length, '0');

function escapeCharacter(character, isFirst) {
  const code = character.codePointAt(0);
  if (isFirst && /^[0-9A-Za-z]$/.test(character)) return `\\x${hex(code, 2)}`;
  if (/^[$()*+./?[\\\]^{|}]$/.test(character)) return `\\${character}`;
  if (kControls[character] !== undefined) return kControls[character];
  const isOdd = /^[,\-=<>#&!%:;@~'`"]$/.test(character) || /^\s$/.test(character) || (code >= 0xd800 && code <= 0xdfff);
  if (!isOdd) return character;
  return code <= 0xff ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`;
}

// natives: util
// Deep equality in the flavours that assert and util.isDeepStrictEqual know: loose (==),
// strict, strict without prototypes, and partial (the second value may hold less).
// A value met again on its own path is equal only to what it was held against before.
'use strict';

const engine = native('util');
const types = require('internal/util/types');
const brands = require('internal/util/key_brands');

const kLoose = 0;
const kPartial = 1;
const kStrict = 2;
const kStrictWithoutPrototypes = 3;

const hasOwn = Object.hasOwn;
const isEnumerable = (object, key) => objectPropertyIsEnumerable.call(object, key);
const typedArrayTag = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
const isObject = (value) => typeof value === 'object' && value !== null;
const hasInstance = Function.prototype[Symbol.hasInstance];
const isError = (value) => types.isNativeError(value) || call1(hasInstance, Error, value);
const tagOf = (value) => value[Symbol.toStringTag];
const describe = (value) => objectToString.call(value);
const isUrl = (value) => typeof value.href === 'string' && value instanceof requireLater('internal/url/url_class').URL;
const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

const wellKnownConstructors = new Set([
  program.Array,
  program.ArrayBuffer,
  BigInt,
  BigInt64Array,
  BigUint64Array,
  Boolean,
  DataView,
  program.Date,
  Error,
  Float32Array,
  Float64Array,
  Function,
  Int16Array,
  Int32Array,
  Int8Array,
  program.Map,
  program.Number,
  program.Object,
  program.Promise,
  RegExp,
  program.Set,
  program.String,
  program.Symbol,
  Uint16Array,
  Uint32Array,
  Uint8Array,
  Uint8ClampedArray,
  program.WeakMap,
  program.WeakSet,
]);

function sameBytes(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

// Whether the elements of b appear in a, in this order.
function containsInOrder(a, b) {
  if (a.length < b.length) return false;
  let at = 0;
  for (let i = 0; i < b.length; i++) {
    while (a[at] !== b[i]) if (++at > a.length - b.length + i) return false;
    at++;
  }
  return true;
}

function unboxedPair(a, b) {
  for (const [is, valueOf] of eachEntry([
    [types.isNumberObject, numberValueOf],
    [types.isStringObject, stringValueOf],
    [types.isBooleanObject, booleanValueOf],
    [types.isBigIntObject, bigintValueOf],
    [types.isSymbolObject, symbolValueOf],
  ])) {
    if (is(a)) return is(b) && Object.is(call0(valueOf, a), call0(valueOf, b));
  }
  return false;
}

// A primitive may equal others under ==, so that a missing key or member is not the end:
// undefined ~ null, numbers ~ numeric strings; symbols and NaN equal nothing else.
function looseAlternative(primitive) {
  switch (typeof primitive) {
    case 'undefined':
      return { only: null };
    case 'object':
      return { only: undefined };
    case 'symbol':
      return undefined;
    case 'string':
      return Number.isNaN(+primitive) ? undefined : {};
    case 'number':
      return Number.isNaN(primitive) ? undefined : {};
    default:
      return {};
  }
}

class Comparison {
  constructor(mode) {
    this.mode = mode;
    // The pairs being compared, outermost first: never many.
    this.pathOfA = [];
    this.pathOfB = [];
  }

  get isStrict() {
    return this.mode === kStrict || this.mode === kStrictWithoutPrototypes;
  }

  equal(a, b) {
    if (a === b) return a !== 0 || this.mode === kLoose || Object.is(a, b);
    if (this.mode === kLoose) {
      // biome-ignore lint/suspicious/noDoubleEquals: this comparison is what is asked for
      if (!isObject(a)) return !isObject(b) && (a == b || (a !== a && b !== b));
      return isObject(b) && this.objects(a, b);
    }
    if (typeof a === 'number') return a !== a && b !== b;
    return isObject(a) && isObject(b) && this.objects(a, b);
  }

  // --- objects by kind

  samePrototype(a, b) {
    const { constructor } = a;
    if (wellKnownConstructors.has(constructor) || (constructor !== undefined && !hasOwn(a, 'constructor'))) {
      return constructor === b.constructor;
    }
    return Object.getPrototypeOf(a) === Object.getPrototypeOf(b);
  }

  objects(a, b) {
    if (this.mode === kStrict && !this.samePrototype(a, b)) return false;
    if (Array.isArray(a)) return this.arrays(a, b);
    const plain = tagOf(a) === undefined && describe(a) === '[object Object]';
    if (plain) return this.sameTag(a, b) && this.contents(a, b);
    if (types.isSet(a))
      return types.isSet(b) && this.sizesAllow(a.size, b.size) && tagOf(a) === tagOf(b) && this.contents(a, b, undefined, 'set');
    if (types.isMap(a))
      return types.isMap(b) && this.sizesAllow(a.size, b.size) && tagOf(a) === tagOf(b) && this.contents(a, b, undefined, 'map');
    if (ArrayBuffer.isView(a)) return this.views(a, b);
    return this.specials(a, b) && this.contents(a, b);
  }

  sizesAllow(a, b) {
    return a === b || (this.mode === kPartial && a > b);
  }

  sameTag(a, b) {
    const tagA = tagOf(a);
    const tagB = tagOf(b);
    return tagA !== undefined && tagB !== undefined ? tagA === tagB : describe(a) === describe(b);
  }

  specials(a, b) {
    if (types.isDate(a)) {
      return types.isDate(b) && tagOf(a) === tagOf(b) && Object.is(dateGetTime.call(a), dateGetTime.call(b));
    }
    if (types.isRegExp(a)) {
      return types.isRegExp(b) && a.source === b.source && a.flags === b.flags && a.lastIndex === b.lastIndex && tagOf(a) === tagOf(b);
    }
    if (types.isAnyArrayBuffer(a)) {
      if (!types.isAnyArrayBuffer(b) || tagOf(a) !== tagOf(b)) return false;
      const bytesA = new Uint8Array(a);
      const bytesB = new Uint8Array(b);
      return this.mode === kPartial ? containsInOrder(bytesA, bytesB) : sameBytes(bytesA, bytesB);
    }
    if (!this.sameTag(a, b) || this.isSpecial(b)) return false;
    if (isError(a)) return this.errors(a, b);
    if (types.isBoxedPrimitive(a)) return unboxedPair(a, b);
    if (isUrl(a)) return isUrl(b) && a.href === b.href;
    if (brands.isKeyObject(a) || brands.isKeyObject(b)) return brands.isKeyObject(a) && brands.isKeyObject(b) && brands.areEqualKeys(a, b);
    if (brands.isCryptoKey(a) || brands.isCryptoKey(b))
      return brands.isCryptoKey(a) && brands.isCryptoKey(b) && brands.areEqualCryptoKeys(a, b);
    return !types.isBoxedPrimitive(b) && !isError(b) && !types.isWeakMap(a) && !types.isWeakSet(a) && !types.isPromise(a);
  }

  isSpecial(value) {
    return (
      Array.isArray(value) ||
      ArrayBuffer.isView(value) ||
      types.isSet(value) ||
      types.isMap(value) ||
      types.isDate(value) ||
      types.isRegExp(value) ||
      types.isAnyArrayBuffer(value)
    );
  }

  // The stack may differ; what says what happened may not.
  errors(a, b) {
    if (!isError(b)) return false;
    for (const key of each(['message', 'name', 'cause', 'errors'])) {
      if (isEnumerable(b, key)) continue;
      if (this.mode === kPartial && (b[key] === undefined || (key === 'message' && b[key] === ''))) continue;
      if (!this.equal(a[key], b[key])) return false;
    }
    const causeB = hasOwn(b, 'cause');
    return causeB === hasOwn(a, 'cause') || (this.mode === kPartial && !causeB);
  }

  extraKeys(value) {
    return engine.getOwnNonIndexProperties(
      value,
      this.mode === kLoose ? engine.kOnlyEnumerable | engine.kSkipSymbols : engine.kOnlyEnumerable,
    );
  }

  arrays(a, b) {
    if (!Array.isArray(b) || !this.sizesAllow(a.length, b.length) || tagOf(a) !== tagOf(b)) return false;
    const keys = this.extraKeys(b);
    if (this.mode !== kPartial && keys.length !== this.extraKeys(a).length) return false;
    return this.contents(a, b, keys, 'array');
  }

  views(a, b) {
    if (!ArrayBuffer.isView(b) || call0(typedArrayTag, a) !== call0(typedArrayTag, b)) return false;
    if (types.isDataView(a) !== types.isDataView(b)) return false;
    if (this.mode === kPartial && a.byteLength !== b.byteLength) {
      if (!containsInOrder(bytesOf(a), bytesOf(b))) return false;
    } else if (this.mode === kLoose && (types.isFloat32Array(a) || types.isFloat64Array(a) || types.isFloat16Array(a))) {
      if (!sameBytes(a, b)) return false;
    } else if (!sameBytes(bytesOf(a), bytesOf(b))) {
      return false;
    }
    const keys = this.extraKeys(b);
    if (this.mode !== kPartial && keys.length !== this.extraKeys(a).length) return false;
    return this.contents(a, b, keys);
  }

  // --- properties and members

  // The keys to compare, or undefined when their numbers already differ.
  keysToCompare(a, b) {
    const keys = Object.keys(b);
    const addSymbols = (list, object) => {
      for (const symbol of each(Object.getOwnPropertySymbols(object))) if (isEnumerable(object, symbol)) arrayPush.call(list, symbol);
      return list;
    };
    if (this.mode === kPartial) return addSymbols(keys, b);
    const keysOfA = Object.keys(a);
    if (keysOfA.length !== keys.length) return undefined;
    if (this.mode === kLoose) return keys;
    return addSymbols(keysOfA, a).length === addSymbols(keys, b).length ? keys : undefined;
  }

  contents(a, b, keys = this.keysToCompare(a, b), members = 'none') {
    if (keys === undefined) return false;
    const empty = members === 'none' || (members === 'array' ? b.length === 0 : b.size === 0);
    if (keys.length === 0 && empty) return true;

    const at = arrayIndexOf.call(this.pathOfA, a);
    if (at !== -1 || arrayIncludes.call(this.pathOfB, b)) return at !== -1 && arrayIndexOf.call(this.pathOfB, b) === at;
    arrayPush.call(this.pathOfA, a);
    arrayPush.call(this.pathOfB, b);
    const result = this.properties(a, b, keys) && this.members(a, b, members);
    arrayPop.call(this.pathOfA);
    arrayPop.call(this.pathOfB);
    return result;
  }

  properties(a, b, keys) {
    for (const key of each(keys)) {
      if (!isEnumerable(a, key) || !this.equal(a[key], b[key])) return false;
    }
    return true;
  }

  members(a, b, kind) {
    switch (kind) {
      case 'array':
        return this.mode === kPartial ? this.partialElements(a, b) : this.elements(a, b);
      case 'set':
        return this.setMembers(a, b);
      case 'map':
        return this.mapEntries(a, b);
      default:
        return true;
    }
  }

  elements(a, b) {
    for (let i = 0; i < a.length; i++) {
      if (b[i] === undefined) {
        if (!hasOwn(b, i)) return this.sparseElements(a, b, i);
        if ((a[i] !== undefined || !hasOwn(a, i)) && (this.mode !== kLoose || a[i] !== null)) return false;
      } else if ((a[i] === undefined || !this.equal(a[i], b[i])) && (this.mode !== kLoose || b[i] !== null)) {
        return false;
      }
    }
    return true;
  }

  sparseElements(a, b, from) {
    const keys = Object.keys(b);
    if (Object.keys(a).length !== keys.length) return false;
    for (let i = from; i < keys.length; i++) {
      const key = keys[i];
      if ((a[key] === undefined && !hasOwn(a, key)) || !this.equal(a[key], b[key])) return false;
    }
    return true;
  }

  // The elements of b appear in a, in this order; holes are skipped.
  partialElements(a, b) {
    const left = arrayFilter.call(Object.keys(a), (key) => regexpTest.call(/^\d+$/, key));
    const wanted = arrayFilter.call(Object.keys(b), (key) => regexpTest.call(/^\d+$/, key));
    let at = 0;
    for (let i = 0; i < wanted.length; i++) {
      while (at < left.length && !this.equal(a[left[at]], b[wanted[i]])) at++;
      if (at++ >= left.length) return false;
    }
    return true;
  }

  // --- sets and maps: what identity does not settle is matched one by one

  setMembers(a, b) {
    const open = [];
    for (const value of each(b)) {
      if (a.has(value)) continue;
      if (!isObject(value)) {
        if (this.mode !== kLoose) return false;
        const other = looseAlternative(value);
        if (other === undefined) return false;
        if ('only' in other && !(a.has(other.only) && !b.has(other.only))) return false;
      }
      arrayPush.call(open, value);
    }
    if (open.length === 0) return true;
    for (const value of each(a)) {
      if (b.has(value) || (this.mode !== kLoose && !isObject(value))) {
        if (b.has(value) || this.mode === kPartial) continue;
        return false;
      }
      const at = arrayFindIndex.call(open, (candidate) => this.equal(value, candidate));
      if (at !== -1) arraySplice.call(open, at, 1);
      else if (this.mode !== kPartial) return false;
      if (open.length === 0 && this.mode === kPartial) return true;
    }
    return open.length === 0;
  }

  // Keys of b that a's own keys do not settle, or undefined when one has no match at all.
  openKeys(a, b) {
    const open = [];
    for (const [key, item] of eachEntry(b)) {
      if (!isObject(key)) {
        if (a.has(key) && this.equal(a.get(key), item)) continue;
        if (this.mode !== kLoose) return undefined;
        const other = looseAlternative(key);
        if (other === undefined) return undefined;
        if ('only' in other && !(a.has(other.only) && this.equal(a.get(other.only), item) && !b.has(other.only))) return undefined;
      }
      arrayPush.call(open, key);
    }
    return open;
  }

  mapEntries(a, b) {
    const open = this.openKeys(a, b);
    if (open === undefined) return false;
    if (open.length === 0) return true;
    for (const [key, item] of eachEntry(a)) {
      if (!isObject(key)) {
        if (this.mode === kPartial) continue;
        if (b.has(key)) {
          if (this.mode !== kLoose || this.equal(item, b.get(key))) continue;
        } else if (this.mode !== kLoose) {
          return false;
        }
      }
      const at = arrayFindIndex.call(open, (candidate) => this.equal(key, candidate) && this.equal(item, b.get(candidate)));
      if (at !== -1) arraySplice.call(open, at, 1);
      else if (this.mode !== kPartial) return false;
      if (open.length === 0 && this.mode === kPartial) return true;
    }
    return open.length === 0;
  }
}

const compare = (a, b, mode) => new Comparison(mode).equal(a, b);

module.exports = {
  isDeepEqual: (a, b) => compare(a, b, kLoose),
  isDeepStrictEqual: (a, b, skipPrototype) => compare(a, b, skipPrototype ? kStrictWithoutPrototypes : kStrict),
  isPartialStrictEqual: (a, b) => compare(a, b, kPartial),
};

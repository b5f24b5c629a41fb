// natives: buffer, structured_clone
// URLSearchParams (https://url.spec.whatwg.org/#urlsearchparams): a flat list
// [name, value, name, value …], with the form-urlencoded parser and serializer.
// One that belongs to a URL writes every change back to it.
'use strict';

const { utf8Slice } = native('buffer');
const {
  codes: { ERR_ARG_NOT_ITERABLE, ERR_INVALID_THIS, ERR_INVALID_TUPLE, ERR_MISSING_ARGS },
} = require('internal/errors/coded');
const { validateFunction } = require('internal/util/validators');

const kInspect = Symbol.for('nodejs.util.inspect.custom');

function toUSVString(value) {
  if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
  return stringToWellFormed.call(`${value}`);
}

// --- application/x-www-form-urlencoded

function hexDigit(code) {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

// Percent-decodes leniently; malformed bytes become U+FFFD.
function decodeSlowly(text) {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    let code = stringCharCodeAt.call(text, i);
    if (code === 0x25 && i + 2 < text.length) {
      const high = hexDigit(stringCharCodeAt.call(text, i + 1)),
        low = hexDigit(stringCharCodeAt.call(text, i + 2));
      if (high >= 0 && low >= 0) {
        bytes[length++] = (high << 4) | low;
        i += 2;
        continue;
      }
    }
    if (code < 0x80) {
      bytes[length++] = code;
      continue;
    }
    if (code >= 0xd800 && code < 0xdc00) code = stringCodePointAt.call(text, i++);
    if (code >= 0x10000) {
      bytes[length++] = 0xf0 | (code >> 18);
      bytes[length++] = 0x80 | ((code >> 12) & 63);
      bytes[length++] = 0x80 | ((code >> 6) & 63);
    } else if (code >= 0x800) {
      bytes[length++] = 0xe0 | (code >> 12);
      bytes[length++] = 0x80 | ((code >> 6) & 63);
    } else {
      bytes[length++] = 0xc0 | (code >> 6);
    }
    bytes[length++] = 0x80 | (code & 63);
  }
  return call2(utf8Slice, bytes, 0, length);
}

function decode(text) {
  if (stringIncludes.call(text, '+')) text = stringReplaceAll.call(text, '+', ' ');
  if (!stringIncludes.call(text, '%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return decodeSlowly(text);
  }
}

// https://url.spec.whatwg.org/#concept-urlencoded-parser
function parseQuery(query) {
  const list = [];
  for (let start = 0; start < query.length; ) {
    let end = stringIndexOf.call(query, '&', start);
    if (end === -1) end = query.length;
    if (end > start) {
      const pair = stringSlice.call(query, start, end);
      const equals = stringIndexOf.call(pair, '=');
      if (equals === -1) arrayPush.call(list, decode(pair), '');
      else arrayPush.call(list, decode(stringSlice.call(pair, 0, equals)), decode(stringSlice.call(pair, equals + 1)));
    }
    start = end + 1;
  }
  return list;
}

const kPlain = /^[A-Za-z0-9*\-._]*$/;
const kExtra = { '!': '%21', "'": '%27', '(': '%28', ')': '%29', '~': '%7E', '%20': '+' };

function encode(text) {
  if (regexpTest.call(kPlain, text)) return text;
  return replaceMatches(encodeURIComponent(text), /[!'()~]|%20/g, (found) => kExtra[found]);
}

// https://url.spec.whatwg.org/#concept-urlencoded-serializer
function serialize(list) {
  let out = '';
  for (let i = 0; i < list.length; i += 2) {
    if (i > 0) out += '&';
    out += `${encode(list[i])}=${encode(list[i + 1])}`;
  }
  return out;
}

// --- what the constructor takes

function pairsFromIterable(iterable, iterate) {
  if (typeof iterate !== 'function') throw new ERR_ARG_NOT_ITERABLE('Query pairs');
  const list = [];
  for (const pair of each(iterable)) {
    const isObject = pair !== null && (typeof pair === 'object' || typeof pair === 'function');
    if (!isObject || typeof pair[Symbol.iterator] !== 'function') {
      throw new ERR_INVALID_TUPLE('Each query pair', '[name, value]');
    }
    const both = [...each(pair)];
    if (both.length !== 2) throw new ERR_INVALID_TUPLE('Each query pair', '[name, value]');
    arrayPush.call(list, toUSVString(both[0]), toUSVString(both[1]));
  }
  return list;
}

function pairsFromRecord(record) {
  const seen = new Map();
  const list = [];
  for (const key of each(Reflect.ownKeys(record))) {
    const property = Reflect.getOwnPropertyDescriptor(record, key);
    if (property === undefined || !property.enumerable) continue;
    const name = toUSVString(key),
      value = toUSVString(record[key]);
    const known = seen.get(name);
    if (known !== undefined) {
      list[known] = value;
    } else {
      seen.set(name, arrayPush.call(list, name, value) - 1);
    }
  }
  return list;
}

function initialPairs(init) {
  if (init === undefined) return [];
  if (init !== null && (typeof init === 'object' || typeof init === 'function')) {
    const iterate = init[Symbol.iterator];
    if (isSearchParams(init) && iterate === URLSearchParams.prototype[Symbol.iterator]) return [...each(listOf(init))];
    return iterate != null ? pairsFromIterable(init, iterate) : pairsFromRecord(init);
  }
  const text = toUSVString(init);
  return parseQuery(stringCharCodeAt.call(text, 0) === 0x3f ? stringSlice.call(text, 1) : text);
}

let isSearchParams, listOf, setList, attach;

function requireParams(value) {
  if (!isSearchParams(value)) throw new ERR_INVALID_THIS('URLSearchParams');
}

class URLSearchParams {
  #list = [];
  #url = null;

  constructor(init = undefined) {
    this.#list = initialPairs(init);
  }

  static {
    isSearchParams = (value) => typeof value === 'object' && value !== null && #list in value;
    listOf = (params) => params.#list;
    setList = (params, list) => {
      params.#list = list;
    };
    attach = (params, url) => {
      params.#url = url;
    };
  }

  #changed() {
    if (this.#url === null) return;
    require('internal/url/url_class').setSearchQuietly(this.#url, serialize(this.#list));
  }

  get size() {
    requireParams(this);
    return this.#list.length / 2;
  }

  append(name, value) {
    requireParams(this);
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('name', 'value');
    arrayPush.call(this.#list, toUSVString(name), toUSVString(value));
    this.#changed();
  }

  delete(name, value = undefined) {
    requireParams(this);
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('name');
    name = toUSVString(name);
    const list = this.#list;
    if (value !== undefined) value = toUSVString(value);
    const kept = [];
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] !== name || (value !== undefined && list[i + 1] !== value)) arrayPush.call(kept, list[i], list[i + 1]);
    }
    list.length = 0;
    for (const text of each(kept)) arrayPush.call(list, text);
    this.#changed();
  }

  get(name) {
    requireParams(this);
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('name');
    name = toUSVString(name);
    const list = this.#list;
    for (let i = 0; i < list.length; i += 2) if (list[i] === name) return list[i + 1];
    return null;
  }

  getAll(name) {
    requireParams(this);
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('name');
    name = toUSVString(name);
    const list = this.#list,
      values = [];
    for (let i = 0; i < list.length; i += 2) if (list[i] === name) arrayPush.call(values, list[i + 1]);
    return values;
  }

  has(name, value = undefined) {
    requireParams(this);
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('name');
    name = toUSVString(name);
    if (value !== undefined) value = toUSVString(value);
    const list = this.#list;
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] === name && (value === undefined || list[i + 1] === value)) return true;
    }
    return false;
  }

  set(name, value) {
    requireParams(this);
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('name', 'value');
    name = toUSVString(name);
    value = toUSVString(value);
    const list = this.#list;
    let found = false;
    for (let i = 0; i < list.length; ) {
      if (list[i] === name && found) {
        arraySplice.call(list, i, 2);
        continue;
      }
      if (list[i] === name) {
        list[i + 1] = value;
        found = true;
      }
      i += 2;
    }
    if (!found) arrayPush.call(list, name, value);
    this.#changed();
  }

  sort() {
    requireParams(this);
    const list = this.#list;
    const pairs = [];
    for (let i = 0; i < list.length; i += 2) arrayPush.call(pairs, [list[i], list[i + 1]]);
    arraySort.call(pairs, (a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    list.length = 0;
    for (const [name, value] of eachEntry(pairs)) arrayPush.call(list, name, value);
    this.#changed();
  }

  entries() {
    requireParams(this);
    return new ParamsIterator(this, 'entries');
  }

  forEach(callback, thisArg = undefined) {
    requireParams(this);
    validateFunction(callback, 'callback');
    const list = this.#list;
    for (let i = 0; i < list.length; i += 2) call3(callback, thisArg, list[i + 1], list[i], this);
  }

  keys() {
    requireParams(this);
    return new ParamsIterator(this, 'keys');
  }

  values() {
    requireParams(this);
    return new ParamsIterator(this, 'values');
  }

  toString() {
    requireParams(this);
    return serialize(this.#list);
  }

  [kInspect](depth, options) {
    requireParams(this);
    if (typeof depth === 'number' && depth < 0) return options.stylize('[Object]', 'special');
    const { inspect } = require('internal/util/inspect');
    const inner = (value) => inspect(value, options);
    const list = this.#list;
    const output = [];
    for (let i = 0; i < list.length; i += 2) arrayPush.call(output, `${inner(list[i])} => ${inner(list[i + 1])}`);
    if (output.length === 0) return 'URLSearchParams {}';
    return `URLSearchParams ${inBraces(output, options)}`;
  }
}

function inBraces(parts, options) {
  const visible = (text) => replaceMatches(text, /\u001b\[\d\d?m/g, '').length;
  const length = arrayReduce.call(parts, (sum, part) => sum + visible(part) + 2, -2);
  if (length > options.breakLength) return `{\n  ${arrayJoin.call(parts, ',\n  ')} }`;
  return `{ ${arrayJoin.call(parts, ', ')} }`;
}

function defineMethods(prototype, names, tag) {
  for (const name of each(names)) Object.defineProperty(prototype, name, { enumerable: true });
  Object.defineProperty(prototype, Symbol.toStringTag, {
    configurable: true,
    enumerable: false,
    writable: false,
    value: tag,
  });
}

defineMethods(
  URLSearchParams.prototype,
  ['append', 'delete', 'get', 'getAll', 'has', 'set', 'sort', 'entries', 'forEach', 'keys', 'values', 'toString', 'size'],
  'URLSearchParams',
);
Object.defineProperty(URLSearchParams.prototype, Symbol.iterator, {
  configurable: true,
  enumerable: false,
  writable: true,
  value: URLSearchParams.prototype.entries,
});

const iteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));

class ParamsIterator {
  #params;
  #kind;
  #index = 0;

  constructor(params, kind) {
    this.#params = params;
    this.#kind = kind;
  }

  #item(list, i) {
    if (this.#kind === 'keys') return list[i];
    return this.#kind === 'values' ? list[i + 1] : [list[i], list[i + 1]];
  }

  next() {
    if (typeof this !== 'object' || this === null || !(#params in this)) {
      throw new ERR_INVALID_THIS('URLSearchParamsIterator');
    }
    const list = listOf(this.#params),
      index = this.#index;
    if (index >= list.length) return { done: true, value: undefined };
    this.#index += 2;
    return { done: false, value: this.#item(list, index) };
  }

  [kInspect](depth, options) {
    if (typeof this !== 'object' || this === null || !(#params in this)) {
      throw new ERR_INVALID_THIS('URLSearchParamsIterator');
    }
    if (typeof depth === 'number' && depth < 0) return options.stylize('[Object]', 'special');
    const { inspect } = require('internal/util/inspect');
    const list = listOf(this.#params);
    const output = [];
    for (let i = this.#index; i < list.length; i += 2) arrayPush.call(output, inspect(this.#item(list, i), options));
    return `URLSearchParams Iterator ${inBraces(output, options)}`;
  }
}

Object.setPrototypeOf(ParamsIterator.prototype, iteratorPrototype);
delete ParamsIterator.prototype.constructor;
defineMethods(ParamsIterator.prototype, ['next'], 'URLSearchParams Iterator');

function makeLinked(url, search) {
  const params = new URLSearchParams(search);
  attach(params, url);
  return params;
}

function reset(params, search) {
  setList(params, parseQuery(stringCharCodeAt.call(search, 0) === 0x3f ? stringSlice.call(search, 1) : search));
}

const { setMode, kRefused } = native('structured_clone');
setMode(URLSearchParams.prototype, kRefused);

module.exports = { URLSearchParams, makeLinked, reset };

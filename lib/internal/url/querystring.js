// natives: none
// node:querystring: the form encoding of old, with replaceable escape and unescape.
'use strict';

const {
  codes: { ERR_INVALID_URI },
} = require('internal/errors/coded');

const querystring = (module.exports = {
  unescapeBuffer,
  unescape,
  escape,
  stringify,
  encode: stringify,
  parse,
  decode: parse,
});

const kDefaultMaxKeys = 1000;
const kEncodedByte = /%[0-9a-fA-F]{2}/;

function hexDigit(code) {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

// Percent-decodes without caring whether the bytes are UTF-8.
function unescapeBuffer(text, decodeSpaces) {
  const { Buffer } = requireLater('internal/buffer/buffer');
  const out = Buffer.allocUnsafe(text.length);
  let size = 0;
  let decoded = false;
  for (let i = 0; i < text.length; i++) {
    let code = stringCharCodeAt.call(text, i);
    if (code === 43 && decodeSpaces) {
      code = 32;
    } else if (code === 37 && i < text.length - 2) {
      const high = hexDigit(stringCharCodeAt.call(text, i + 1));
      const low = hexDigit(stringCharCodeAt.call(text, i + 2));
      if (high >= 0 && low >= 0) {
        code = high * 16 + low;
        decoded = true;
        i += 2;
      }
    }
    out[size++] = code;
  }
  return decoded ? out.slice(0, size) : out;
}

function unescape(text, decodeSpaces) {
  try {
    return decodeURIComponent(text);
  } catch {
    return querystring.unescapeBuffer(text, decodeSpaces).toString();
  }
}

function escape(value) {
  const text = typeof value === 'string' ? value : typeof value === 'object' ? String(value) : value + '';
  return encodeURIComponent(stringIsWellFormed.call(text) ? text : replaceMatches(text, /[\ud800-\udfff]([\s\S])?/g, joinSurrogate));
}

// The unit after a surrogate counts as its other half, as in Node.
function joinSurrogate(pair, next) {
  if (next === undefined) throw new ERR_INVALID_URI();
  return String.fromCodePoint(0x10000 + (((stringCharCodeAt.call(pair, 0) & 0x3ff) << 10) | (stringCharCodeAt.call(next, 0) & 0x3ff)));
}

// --- stringify

function primitiveText(value) {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return Number.isFinite(value) ? `${value}` : '';
    case 'bigint':
    case 'boolean':
      return `${value}`;
    default:
      return '';
  }
}

function stringify(object, separator, equals, options) {
  separator ||= '&';
  equals ||= '=';
  if (object === null || typeof object !== 'object') return '';
  const encode = typeof options?.encodeURIComponent === 'function' ? options.encodeURIComponent : querystring.escape;
  const isDefault = encode === escape;
  const convert = (value) => {
    const text = primitiveText(value);
    return isDefault && text === '' ? '' : encode(text);
  };
  const fields = [];
  for (const key of each(Object.keys(object))) {
    const value = object[key];
    const head = `${convert(key)}${equals}`;
    if (Array.isArray(value)) for (let i = 0; i < value.length; i++) arrayPush.call(fields, head + convert(value[i]));
    else arrayPush.call(fields, head + convert(value));
  }
  return arrayJoin.call(fields, separator);
}

// --- parse

function add(object, key, value) {
  const before = object[key];
  if (before === undefined) object[key] = value;
  else if (typeof before === 'string') object[key] = [before, value];
  else arrayPush.call(before, value);
}

function parse(query, separator, equals, options) {
  const object = { __proto__: null };
  if (typeof query !== 'string' || query === '') return object;
  separator = separator ? String(separator) : '&';
  equals = equals ? String(equals) : '=';
  let left = kDefaultMaxKeys;
  if (typeof options?.maxKeys === 'number') left = options.maxKeys > 0 ? options.maxKeys : Infinity;
  const decode = typeof options?.decodeURIComponent === 'function' ? options.decodeURIComponent : querystring.unescape;
  const isCustom = decode !== unescape;

  const read = (raw) => {
    const text = stringIncludes.call(raw, '+') ? stringReplaceAll.call(raw, '+', isCustom ? '%20' : ' ') : raw;
    if (text === '' || (!isCustom && !regexpTest.call(kEncodedByte, text))) return text;
    try {
      return decode(text);
    } catch {
      return querystring.unescape(text, true);
    }
  };
  for (let from = 0; from <= query.length && left > 0; left--) {
    let end = separator === '' ? -1 : stringIndexOf.call(query, separator, from);
    if (end === -1) end = query.length;
    if (end > from) {
      const pair = stringSlice.call(query, from, end);
      const at = stringIndexOf.call(pair, equals);
      if (at === -1) add(object, read(pair), '');
      else add(object, read(stringSlice.call(pair, 0, at)), read(stringSlice.call(pair, at + equals.length)));
    }
    from = end + Math.max(separator.length, 1);
  }
  return object;
}

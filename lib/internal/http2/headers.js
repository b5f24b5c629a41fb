// natives: none
// Fields of HTTP/2 messages: an object of them into the packed text that the native half takes, checked as the protocol asks for it;
// and the list that comes from there into an object.
'use strict';

const {
  codes: {
    ERR_HTTP2_HEADER_SINGLE_VALUE,
    ERR_HTTP2_INVALID_CONNECTION_HEADERS,
    ERR_HTTP2_INVALID_PSEUDOHEADER,
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_HTTP_TOKEN,
  },
} = require('internal/errors/coded');

const kSensitiveHeaders = Symbol('sensitiveHeaders');
const kToken = /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/;

const kRequestPseudo = new Set([':method', ':authority', ':scheme', ':path', ':protocol']);
const kResponsePseudo = new Set([':status']);
const kNoPseudo = new Set();

// Fields that occur once.
const kSingle = new Set([
  ':status',
  ':method',
  ':authority',
  ':scheme',
  ':path',
  ':protocol',
  'access-control-allow-credentials',
  'access-control-max-age',
  'access-control-request-method',
  'age',
  'authorization',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'date',
  'dnt',
  'etag',
  'expires',
  'from',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'range',
  'referer',
  'retry-after',
  'tk',
  'upgrade-insecure-requests',
  'user-agent',
  'x-content-type-options',
]);
// Connection headers of HTTP/1 are not allowed here.
const kConnection = new Set(['connection', 'upgrade', 'http2-settings', 'keep-alive', 'proxy-connection', 'transfer-encoding']);

const isConnectionField = (name, value) => kConnection.has(name) || (name === 'te' && value !== 'trailers');

function packOne(name, value, sensitive) {
  return `${name}\0${value}\0${sensitive.has(name) ? '1' : '0'}`;
}

function checkRegular(name, value) {
  if (!regexpTest.call(kToken, name)) throw new ERR_INVALID_HTTP_TOKEN('Header name', name);
  if (isConnectionField(name, value)) throw new ERR_HTTP2_INVALID_CONNECTION_HEADERS(name);
}

// Pseudo fields first, as the protocol has it. With a `list` of [name, value, …] its names come in its order, repeated ones too.
function packHeaders(headers, pseudo, isStrict = true, list = undefined) {
  const given = headers[kSensitiveHeaders];
  if (given !== undefined && !Array.isArray(given)) throw new ERR_INVALID_ARG_VALUE('headers[http2.neverIndex]', given);
  const sensitive = new Set(given === undefined ? [] : arrayMap.call(given, (name) => stringToLowerCase.call(`${name}`)));
  const seen = new Set();
  let first = '',
    rest = '';
  const names = list ?? Object.keys(headers);
  const step = list === undefined ? 1 : 2;
  for (let at = 0; at < names.length; at += step) {
    const key = names[at];
    let value = list === undefined ? headers[key] : list[at + 1];
    if (value === undefined || key === '') continue;
    const name = stringToLowerCase.call(key);
    const isSingle = kSingle.has(name) && (isStrict || name[0] === ':');
    if (isSingle && seen.has(name)) throw new ERR_HTTP2_HEADER_SINGLE_VALUE(name);
    seen.add(name);
    if (Array.isArray(value)) {
      if (value.length === 0) continue;
      if (isSingle && value.length > 1) throw new ERR_HTTP2_HEADER_SINGLE_VALUE(name);
      if (isSingle) value = value[0];
    }
    const values = arrayMap.call(Array.isArray(value) ? value : [value], (one) => `${one}`);
    if (name[0] === ':') {
      if (!pseudo.has(name)) throw new ERR_HTTP2_INVALID_PSEUDOHEADER(name);
      first += packOne(name, values[0], sensitive);
      continue;
    }
    for (const one of each(values)) {
      checkRegular(name, one);
      rest += packOne(name, one, sensitive);
    }
  }
  return first + rest;
}

// [name, value, …] as a program may give it → an object, in which a name that is there twice has a list.
function fromList(list) {
  if (list.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', list);
  const headers = { __proto__: null };
  for (let i = 0; i < list.length; i += 2) {
    const name = `${list[i]}`;
    headers[name] = headers[name] === undefined ? list[i + 1] : arrayFlat.call([headers[name], list[i + 1]]);
  }
  if (list[kSensitiveHeaders] !== undefined) headers[kSensitiveHeaders] = list[kSensitiveHeaders];
  return headers;
}

// A program's list behind those of the pseudo fields that it left out.
function withPseudo(list, headers, pseudo) {
  const given = new Set();
  for (let i = 0; i < list.length; i += 2) given.add(stringToLowerCase.call(`${list[i]}`));
  const complete = [];
  for (const name of each(pseudo)) if (headers[name] !== undefined && !given.has(name)) arrayPush.call(complete, name, headers[name]);
  for (let i = 0; i < list.length; i++) arrayPush.call(complete, list[i]);
  return complete;
}

// The native half's list ends with the names of fields that may not be indexed, and their number.
function takeSensitive(list) {
  const count = Number(arrayPop.call(list));
  return arraySplice.call(list, list.length - count);
}

// [name, value, …] → an object: repeated fields joined, cookies by ';', set-cookie a list.
function toObject(list, sensitive) {
  const headers = { __proto__: null };
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i];
    const value = name === ':status' ? Number(list[i + 1]) : list[i + 1];
    const before = headers[name];
    if (before === undefined) headers[name] = name === 'set-cookie' ? [value] : value;
    else if (kSingle.has(name)) continue;
    else if (name === 'set-cookie') arrayPush.call(before, value);
    else headers[name] = `${before}${name === 'cookie' ? '; ' : ', '}${value}`;
  }
  headers[kSensitiveHeaders] = sensitive;
  return headers;
}

module.exports = {
  kSensitiveHeaders,
  kRequestPseudo,
  kResponsePseudo,
  kNoPseudo,
  packHeaders,
  fromList,
  withPseudo,
  takeSensitive,
  toObject,
  isConnectionField,
  kToken,
};

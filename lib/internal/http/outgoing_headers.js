// natives: none
// The head of an outgoing message: what is set before it is sent (setHeader and its kin), and how it becomes text. The headers are a
// HeaderTable. outgoing.js installs this on the prototype.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const {
  codes: {
    ERR_HTTP_HEADERS_SENT,
    ERR_HTTP_INVALID_HEADER_VALUE,
    ERR_HTTP_TRAILER_INVALID,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_CHAR,
  },
} = require('internal/errors/coded');
const { validateString } = require('internal/util/validators');
const { isBadValue, isLenient, nameOf, validateHeaderName, validateHeaderValue } = require('internal/http/validate');
const { kOutHeaders, kUniqueHeaders } = require('internal/http/symbols');
const { dateLine } = require('internal/http/date');
const {
  HeaderTable,
  kConnection,
  kDate,
  kDisposition,
  kEncoding,
  kExpect,
  kKeepAlive,
  kLength,
  kTrailer,
} = require('internal/http/header_table');

const closes = /(?:^|\W)close(?:$|\W)/i;
const chunks = /(?:^|\W)chunked(?:$|\W)/i;

function checkValue(message, known, name, value) {
  if (value === undefined) throw new ERR_HTTP_INVALID_HEADER_VALUE(value, name);
  if (value === known.checked) return;
  if (!isBadValue(value, false)) known.noteValid(value);
  else if (isBadValue(value, message._isLenientHeaderValidation())) throw new ERR_INVALID_CHAR('header content', name);
}

// A head while it is put together.
class Head {
  constructor(message, text) {
    this.message = message;
    this.text = text;
    this.says = 0; // kinds of the fields it has
  }

  add(known, name, value) {
    const { message } = this;
    if (typeof value === 'object' && Array.isArray(value)) {
      if ((value.length < 2 || known.lower !== 'cookie') && !message[kUniqueHeaders]?.has(known.lower)) {
        for (let i = 0; i < value.length; i++) this.line(known, name, value[i]);
        return;
      }
      value = arrayJoin.call(value, '; ');
    }
    this.line(known, name, value);
  }

  addChecked(name, value, lenient) {
    const known = nameOf(name);
    if (typeof value === 'object' && Array.isArray(value))
      for (let i = 0; i < value.length; i++) validateHeaderValue(name, value[i], lenient);
    else if (value === undefined || value !== known.checked) validateHeaderValue(name, value, lenient);
    if (!lenient) known.noteValid(value);
    this.add(known, name, value);
  }

  line(known, name, value) {
    const { kind } = known;
    if (kind !== 0) {
      if (kind === kDisposition && this.message._contentLength) value = Buffer.from(`${value}`, 'latin1');
      this.note(kind, value);
    }
    this.text += known.lineOf(name, value);
  }

  note(kind, value) {
    const { message } = this;
    this.says |= kind;
    switch (kind) {
      case kConnection:
        message._removedConnection = false;
        if (regexpTest.call(closes, value)) message._last = true;
        else message.shouldKeepAlive = true;
        break;
      case kEncoding:
        message._removedTE = false;
        if (regexpTest.call(chunks, value)) message.chunkedEncoding = true;
        break;
      case kLength:
        message._contentLength = +value;
        message._removedContLen = false;
        break;
      case kKeepAlive:
        message._defaultKeepAlive = false;
        break;
    }
  }

  addAll(headers) {
    const { message } = this;
    if (headers === message[kOutHeaders]) {
      const { list } = headers;
      for (let i = 0; i < list.length; i += 3) this.add(list[i], list[i + 1], list[i + 2]);
      return;
    }
    const lenient = message._isLenientHeaderValidation();
    if (!Array.isArray(headers)) {
      for (const name in headers) if (Object.hasOwn(headers, name)) this.addChecked(name, headers[name], lenient);
    } else if (Array.isArray(headers[0])) {
      for (let i = 0; i < headers.length; i++) this.addChecked(headers[i][0], headers[i][1], lenient);
    } else {
      if (headers.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', headers);
      for (let i = 0; i < headers.length; i += 2) this.addChecked(headers[i], headers[i + 1], lenient);
    }
  }

  // Whether the connection stays, in words.
  addConnection() {
    const { message } = this;
    if (message._removedConnection) {
      message._last = !message.shouldKeepAlive;
      return;
    }
    if ((this.says & kConnection) !== 0) return;
    const stays = message.shouldKeepAlive && ((this.says & kLength) !== 0 || message.useChunkedEncodingByDefault || message.agent);
    if (!stays) {
      message._last = true;
      this.text += 'Connection: close\r\n';
    } else if (message.maxRequestsOnConnectionReached) {
      this.text += 'Connection: close\r\n';
    } else if (message._keepAliveTimeout && message._defaultKeepAlive) {
      this.text += keepAliveLines(message._keepAliveTimeout, message._maxRequestsPerSocket);
    } else {
      this.text += 'Connection: keep-alive\r\n';
    }
  }

  // How long the body is, if the program has not said.
  addLength() {
    const { message } = this;
    if ((this.says & (kLength | kEncoding)) !== 0) return;
    if (!message._hasBody) {
      message.chunkedEncoding = false;
    } else if (!message.useChunkedEncodingByDefault) {
      message._last = true;
    } else if ((this.says & kTrailer) === 0 && !message._removedContLen && typeof message._contentLength === 'number') {
      this.text += `Content-Length: ${message._contentLength}\r\n`;
    } else if (!message._removedTE) {
      this.text += 'Transfer-Encoding: chunked\r\n';
      message.chunkedEncoding = true;
    } else {
      message._last = true; // nothing tells where the body ends, except the connection's end
    }
  }
}

let lastTimeout;
let lastMost;
let lastLines = '';
function keepAliveLines(timeout, most) {
  if (timeout === lastTimeout && most === lastMost) return lastLines;
  lastTimeout = timeout;
  lastMost = most;
  lastLines = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(timeout / 1000)}${~~most > 0 ? `, max=${most}` : ''}\r\n`;
  return lastLines;
}

// One by one: use(what is known of the name, name as written).
function namesIn(message, use) {
  const found = [];
  const list = message[kOutHeaders]?.list ?? [];
  for (let i = 0; i < list.length; i += 3) arrayPush.call(found, use(list[i], list[i + 1]));
  return found;
}

const methods = {
  _isLenientHeaderValidation() {
    const validation = this.httpValidation ?? this.req?.socket?.server?.httpValidation;
    if (validation !== undefined) return validation !== 'strict';
    if (typeof this.insecureHTTPParser === 'boolean') return this.insecureHTTPParser;
    const ofServer = this.req?.socket?.server?.insecureHTTPParser;
    return typeof ofServer === 'boolean' ? ofServer : isLenient();
  },

  setHeader(name, value) {
    if (this._header) throw new ERR_HTTP_HEADERS_SENT('set');
    const known = nameOf(name);
    checkValue(this, known, name, value);
    (this[kOutHeaders] ??= new HeaderTable()).set(known, name, value);
    return this;
  },

  setHeaders(headers) {
    if (this._header) throw new ERR_HTTP_HEADERS_SENT('set');
    if (!headers || Array.isArray(headers) || typeof headers.keys !== 'function' || typeof headers.get !== 'function') {
      throw new ERR_INVALID_ARG_TYPE('headers', ['Headers', 'Map'], headers);
    }
    // Cookies come one by one from Headers; set one by one only the last would stay.
    const cookies = [];
    for (const [name, value] of eachEntry(headers)) {
      if (name !== 'set-cookie') this.setHeader(name, value);
      else if (Array.isArray(value)) arrayPush.call(cookies, ...each(value));
      else arrayPush.call(cookies, value);
    }
    if (cookies.length > 0) this.setHeader('set-cookie', cookies);
    return this;
  },

  appendHeader(name, value) {
    if (this._header) throw new ERR_HTTP_HEADERS_SENT('append');
    const known = nameOf(name);
    checkValue(this, known, name, value);
    const headers = this[kOutHeaders];
    const place = headers === null ? -1 : headers.find(known);
    if (place === -1) return this.setHeader(name, value);
    const { list } = headers;
    if (!Array.isArray(list[place + 2])) list[place + 2] = [list[place + 2]];
    if (Array.isArray(value)) arrayPush.call(list[place + 2], ...each(value));
    else arrayPush.call(list[place + 2], value);
    return this;
  },

  getHeader(name) {
    validateString(name, 'name');
    const headers = this[kOutHeaders];
    if (headers === null) return undefined;
    return headers.get(name);
  },

  getHeaderNames() {
    return namesIn(this, (known) => known.lower);
  },

  getRawHeaderNames() {
    return namesIn(this, (known, name) => name);
  },

  getHeaders() {
    const found = { __proto__: null };
    const list = this[kOutHeaders]?.list ?? [];
    for (let i = 0; i < list.length; i += 3) found[list[i].lower] = list[i + 2];
    return found;
  },

  hasHeader(name) {
    validateString(name, 'name');
    return this[kOutHeaders] !== null && this[kOutHeaders].findText(name) !== -1;
  },

  removeHeader(name) {
    validateString(name, 'name');
    if (this._header) throw new ERR_HTTP_HEADERS_SENT('remove');
    const lower = stringToLowerCase.call(name);
    switch (lower) {
      case 'connection':
        this._removedConnection = true;
        break;
      case 'content-length':
        this._removedContLen = true;
        break;
      case 'transfer-encoding':
        this._removedTE = true;
        break;
      case 'date':
        this.sendDate = false;
        break;
    }
    this[kOutHeaders]?.delete(lower);
  },

  _renderHeaders() {
    if (this._header) throw new ERR_HTTP_HEADERS_SENT('render');
    const found = {};
    const list = this[kOutHeaders]?.list ?? [];
    for (let i = 0; i < list.length; i += 3) found[list[i + 1]] = list[i + 2];
    return found;
  },

  _storeHeader(firstLine, headers) {
    const head = new Head(this, firstLine);
    if (headers) head.addAll(headers);
    if (this.sendDate && (head.says & kDate) === 0) head.text += dateLine();
    // No body, not even an empty chunk, which would confuse proxies: end the connection instead.
    if (this.chunkedEncoding && (this.statusCode === 204 || this.statusCode === 304)) {
      this.chunkedEncoding = false;
      this.shouldKeepAlive = false;
    }
    head.addConnection();
    head.addLength();
    if (this.chunkedEncoding !== true && (head.says & kTrailer) !== 0) throw new ERR_HTTP_TRAILER_INVALID();
    this._header = `${head.text}\r\n`;
    this._headerSent = false;
    if ((head.says & kExpect) !== 0) this._send('');
  },

  addTrailers(headers) {
    if (this.finished) throw new ERR_HTTP_HEADERS_SENT('set trailing');
    const lenient = this._isLenientHeaderValidation();
    this._trailer = '';
    const add = (name, value) => {
      if (isBadValue(value, lenient)) throw new ERR_INVALID_CHAR('trailer content', name);
      this._trailer += `${name}: ${value}\r\n`;
    };
    for (const key of each(Object.keys(headers))) {
      const name = Array.isArray(headers) ? headers[key][0] : key;
      const value = Array.isArray(headers) ? headers[key][1] : headers[key];
      validateHeaderName(name, 'Trailer name');
      if (!Array.isArray(value)) add(name, value);
      else if (value.length > 1 && !this[kUniqueHeaders]?.has(stringToLowerCase.call(name))) for (const one of each(value)) add(name, one);
      else add(name, arrayJoin.call(value, '; '));
    }
  },
};

function uniqueHeaders(names) {
  return Array.isArray(names) ? new Set(arrayMap.call(names, (name) => stringToLowerCase.call(name))) : null;
}

module.exports = { methods, uniqueHeaders };

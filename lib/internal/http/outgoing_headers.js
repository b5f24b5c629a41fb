// natives: none
// The head of an outgoing message: what is set before it is sent (setHeader and its kin), and how it becomes text. The headers are a
// Map from the name in lower case to { name, value }. outgoing.js installs this on the prototype.
'use strict';

const { Buffer } = require('buffer');
const {
  codes: { ERR_HTTP_HEADERS_SENT, ERR_HTTP_INVALID_HEADER_VALUE, ERR_HTTP_TRAILER_INVALID, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_CHAR },
} = require('internal/errors/coded');
const { validateString } = require('internal/util/validators');
const { isBadValue, isLenient, lowerName, validateHeaderName, validateHeaderValue } = require('internal/http/validate');
const { kOutHeaders, kUniqueHeaders } = require('internal/http/symbols');
const { utcDate } = require('internal/http/date');

const closes = /(?:^|\W)close(?:$|\W)/i;
const chunks = /(?:^|\W)chunked(?:$|\W)/i;

function checkValue(message, name, value) {
  if (value === undefined) throw new ERR_HTTP_INVALID_HEADER_VALUE(value, name);
  if (isBadValue(value, false) && isBadValue(value, message._isLenientHeaderValidation())) throw new ERR_INVALID_CHAR('header content', name);
}

// What the head says of itself while it is put together.
class Summary {
  constructor(message, text) {
    this.message = message;
    this.text = text;
    this.connection = false;
    this.length = false;
    this.encoding = false;
    this.date = false;
    this.expect = false;
    this.trailer = false;
  }

  add(lower, name, value) {
    const { message } = this;
    if (Array.isArray(value)) {
      if ((value.length < 2 || lower !== 'cookie') && !message[kUniqueHeaders]?.has(lower)) {
        for (let i = 0; i < value.length; i++) this.line(lower, name, value[i]);
        return;
      }
      value = value.join('; ');
    }
    this.line(lower, name, value);
  }

  addChecked(name, value, lenient) {
    const lower = lowerName(name);
    if (Array.isArray(value)) for (let i = 0; i < value.length; i++) validateHeaderValue(name, value[i], lenient);
    else validateHeaderValue(name, value, lenient);
    this.add(lower, name, value);
  }

  line(lower, name, value) {
    if (lower === 'content-disposition' && this.message._contentLength) value = Buffer.from(`${value}`, 'latin1');
    this.text += `${name}: ${value}\r\n`;
    const { length } = lower;
    if (length >= 4 && length <= 17) this.note(lower, value);
  }

  note(lower, value) {
    const { message } = this;
    switch (lower) {
      case 'connection':
        this.connection = true;
        message._removedConnection = false;
        if (closes.test(value)) message._last = true;
        else message.shouldKeepAlive = true;
        break;
      case 'transfer-encoding':
        this.encoding = true;
        message._removedTE = false;
        if (chunks.test(value)) message.chunkedEncoding = true;
        break;
      case 'content-length':
        this.length = true;
        message._contentLength = +value;
        message._removedContLen = false;
        break;
      case 'date':
      case 'expect':
      case 'trailer':
        this[lower] = true;
        break;
      case 'keep-alive':
        message._defaultKeepAlive = false;
        break;
    }
  }

  addAll(headers) {
    const { message } = this;
    if (headers === message[kOutHeaders]) {
      for (const [lower, entry] of eachEntry(headers)) this.add(lower, entry.name, entry.value);
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
    if (this.connection) return;
    const stays = message.shouldKeepAlive && (this.length || message.useChunkedEncodingByDefault || message.agent);
    if (!stays) {
      message._last = true;
      this.text += 'Connection: close\r\n';
    } else if (message.maxRequestsOnConnectionReached) {
      this.text += 'Connection: close\r\n';
    } else if (message._keepAliveTimeout && message._defaultKeepAlive) {
      this.text += `Connection: keep-alive\r\n${keepAliveLine(message._keepAliveTimeout, message._maxRequestsPerSocket)}`;
    } else {
      this.text += 'Connection: keep-alive\r\n';
    }
  }

  // How long the body is, if the program has not said.
  addLength() {
    const { message } = this;
    if (this.length || this.encoding) return;
    if (!message._hasBody) {
      message.chunkedEncoding = false;
    } else if (!message.useChunkedEncodingByDefault) {
      message._last = true;
    } else if (!this.trailer && !message._removedContLen && typeof message._contentLength === 'number') {
      this.text += `Content-Length: ${message._contentLength}\r\n`;
    } else if (!message._removedTE) {
      this.text += 'Transfer-Encoding: chunked\r\n';
      message.chunkedEncoding = true;
    } else {
      message._last = true;  // nothing tells where the body ends, except the connection's end
    }
  }
}

let lastTimeout;
let lastMost;
let lastLine = '';
function keepAliveLine(timeout, most) {
  if (timeout === lastTimeout && most === lastMost) return lastLine;
  lastTimeout = timeout;
  lastMost = most;
  lastLine = `Keep-Alive: timeout=${Math.floor(timeout / 1000)}${~~most > 0 ? `, max=${most}` : ''}\r\n`;
  return lastLine;
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
    const lower = lowerName(name);
    checkValue(this, name, value);
    const headers = this[kOutHeaders] ??= new Map();
    headers.set(lower, { name, value });
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
      else if (Array.isArray(value)) cookies.push(...each(value));
      else cookies.push(value);
    }
    if (cookies.length > 0) this.setHeader('set-cookie', cookies);
    return this;
  },

  appendHeader(name, value) {
    if (this._header) throw new ERR_HTTP_HEADERS_SENT('append');
    const lower = lowerName(name);
    checkValue(this, name, value);
    const entry = this[kOutHeaders]?.get(lower);
    if (entry === undefined) return this.setHeader(name, value);
    if (!Array.isArray(entry.value)) entry.value = [entry.value];
    if (Array.isArray(value)) entry.value.push(...each(value));
    else entry.value.push(value);
    return this;
  },

  getHeader(name) {
    validateString(name, 'name');
    const headers = this[kOutHeaders];
    if (headers === null) return undefined;
    return headers.get(name.toLowerCase())?.value;
  },

  getHeaderNames() { return this[kOutHeaders] === null ? [] : [...each(this[kOutHeaders].keys())]; },

  getRawHeaderNames() { return this[kOutHeaders] === null ? [] : [...each(this[kOutHeaders].values())].map((entry) => entry.name); },

  getHeaders() {
    const found = { __proto__: null };
    if (this[kOutHeaders] !== null) for (const [lower, entry] of eachEntry(this[kOutHeaders])) found[lower] = entry.value;
    return found;
  },

  hasHeader(name) {
    validateString(name, 'name');
    return this[kOutHeaders] !== null && this[kOutHeaders].has(name.toLowerCase());
  },

  removeHeader(name) {
    validateString(name, 'name');
    if (this._header) throw new ERR_HTTP_HEADERS_SENT('remove');
    const lower = name.toLowerCase();
    switch (lower) {
      case 'connection': this._removedConnection = true; break;
      case 'content-length': this._removedContLen = true; break;
      case 'transfer-encoding': this._removedTE = true; break;
      case 'date': this.sendDate = false; break;
    }
    this[kOutHeaders]?.delete(lower);
  },

  _renderHeaders() {
    if (this._header) throw new ERR_HTTP_HEADERS_SENT('render');
    const found = {};
    if (this[kOutHeaders] !== null) for (const { name, value } of each(this[kOutHeaders].values())) found[name] = value;
    return found;
  },

  _storeHeader(firstLine, headers) {
    const summary = new Summary(this, firstLine);
    if (headers) summary.addAll(headers);
    if (this.sendDate && !summary.date) summary.text += `Date: ${utcDate()}\r\n`;
    // No body, not even an empty chunk, which would confuse proxies: end the connection instead.
    if (this.chunkedEncoding && (this.statusCode === 204 || this.statusCode === 304)) {
      this.chunkedEncoding = false;
      this.shouldKeepAlive = false;
    }
    summary.addConnection();
    summary.addLength();
    if (this.chunkedEncoding !== true && summary.trailer) throw new ERR_HTTP_TRAILER_INVALID();
    this._header = `${summary.text}\r\n`;
    this._headerSent = false;
    if (summary.expect) this._send('');
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
      else if (value.length > 1 && !this[kUniqueHeaders]?.has(name.toLowerCase())) for (const one of each(value)) add(name, one);
      else add(name, value.join('; '));
    }
  },
};

function uniqueHeaders(names) {
  return Array.isArray(names) ? new Set(names.map((name) => name.toLowerCase())) : null;
}

module.exports = { methods, uniqueHeaders };

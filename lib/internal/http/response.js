// natives: none
// http.ServerResponse: the answer of a server to one request.
'use strict';

const {
  codes: { ERR_HTTP_HEADERS_SENT, ERR_HTTP_INVALID_STATUS_CODE, ERR_HTTP_SOCKET_ASSIGNED, ERR_INVALID_ARG_VALUE, ERR_INVALID_CHAR },
} = require('internal/errors/coded');
const { OutgoingMessage } = require('internal/http/outgoing');
const observers = require('internal/http/observers');
const { kOutHeaders } = require('internal/http/symbols');
const { isBadValue, makeWithoutNew, validateHeaderName, validateHeaderValue } = require('internal/http/validate');
const STATUS_CODES = require('internal/http/status');
const { withOwnPrototypes } = require('internal/http/poly_proto');

const chunked = /(?:^|\W)chunked(?:$|\W)/i;

const makeClass = () =>
  function ServerResponse(req, options) {
    if (!(this instanceof ServerResponse)) return makeWithoutNew(ServerResponse, req, options);
    call1(OutgoingMessage, this, options);
    if (req.method === 'HEAD') this._hasBody = false;
    this.req = req;
    this.statusCode = 200;
    this.statusMessage = undefined;
    this._expect_continue = false;
    if (req.httpVersionMajor < 1 || req.httpVersionMinor < 1) {
      this.useChunkedEncodingByDefault = regexpTest.call(chunked, req.headers.te);
      this.shouldKeepAlive = false;
    }
    observers.responseCreated(req, this);
  };
const ServerResponse = withOwnPrototypes(makeClass, OutgoingMessage, [{ method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 }]);
const proto = ServerResponse.prototype;
proto.sendDate = true;
proto._sent100 = false;
proto.statusCode = 200;
proto.statusMessage = undefined;

// Emitted when the connection has gone, or the answer is through.
function emitClose(response) {
  if (response._closed) return;
  response.destroyed = true;
  response._closed = true;
  response.emit('close');
}

function onSocketClose() {
  if (this._httpMessage) emitClose(this._httpMessage);
}

// "HTTP/1.1 200 OK\r\n" and its kin, by number, for the usual reasons.
const lines = new Map();
function statusLine(code, reason) {
  if (reason !== STATUS_CODES[code]) return `HTTP/1.1 ${code} ${reason}\r\n`;
  let line = lines.get(code);
  if (line === undefined) lines.set(code, (line = `HTTP/1.1 ${code} ${reason}\r\n`));
  return line;
}

function informationLine(name, value, lenient) {
  validateHeaderName(name);
  validateHeaderValue(name, value, lenient);
  return `${name}: ${value}\r\n`;
}

function informationLines(headers, lenient) {
  let text = '';
  if (!Array.isArray(headers)) {
    require('internal/util/validators').validateObject(headers, 'headers');
    for (const name of each(Object.keys(headers))) text += informationLine(name, headers[name], lenient);
  } else if (Array.isArray(headers[0])) {
    for (let i = 0; i < headers.length; i++) text += informationLine(headers[i][0], headers[i][1], lenient);
  } else {
    if (headers.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', headers);
    for (let i = 0; i < headers.length; i += 2) text += informationLine(headers[i], headers[i + 1], lenient);
  }
  return text;
}

// Headers that writeHead adds to those that were set one by one.
function merge(response, headers) {
  if (Array.isArray(headers)) {
    if (headers.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', headers);
    for (let i = 0; i < headers.length; i += 2) response.removeHeader(headers[i]);
    for (let i = 0; i < headers.length; i += 2) if (headers[i]) response.appendHeader(headers[i], headers[i + 1]);
  } else if (headers) {
    const names = Object.keys(headers);
    for (let i = 0; i < names.length; i++) if (names[i]) response.setHeader(names[i], headers[names[i]]);
  }
}

const methods = {
  assignSocket(socket) {
    if (socket._httpMessage) throw new ERR_HTTP_SOCKET_ASSIGNED();
    socket._httpMessage = this;
    socket.on('close', onSocketClose);
    this.socket = socket;
    this.emit('socket', socket);
    this._flush();
  },

  detachSocket(socket) {
    socket.removeListener('close', onSocketClose);
    socket._httpMessage = null;
    this.socket = null;
  },

  writeInformation(statusCode, headers, callback) {
    if (this._header) throw new ERR_HTTP_HEADERS_SENT('write');
    require('internal/util/validators').validateInteger(statusCode, 'statusCode', 100, 199);
    if (statusCode === 101) throw new ERR_HTTP_INVALID_STATUS_CODE(statusCode);
    let text = `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] || 'unknown'}\r\n`;
    if (headers !== undefined && headers !== null) text += informationLines(headers, this._isLenientHeaderValidation());
    return this._writeRaw(`${text}\r\n`, 'ascii', callback);
  },

  writeContinue(callback) {
    this.writeInformation(100, null, callback);
    this._sent100 = true;
  },

  writeProcessing(callback) {
    this.writeInformation(102, null, callback);
  },

  writeEarlyHints(hints, callback) {
    const { validateLinkHeaderValue, validateObject } = require('internal/util/validators');
    validateObject(hints, 'hints');
    if (hints.link === null || hints.link === undefined) return;
    const link = validateLinkHeaderValue(hints.link);
    if (link.length === 0) return;
    if (isBadValue(link)) throw new ERR_INVALID_CHAR('header content', 'Link');
    const headers = { __proto__: null, Link: link };
    for (const name of each(Object.keys(hints))) if (name !== 'link') headers[name] = hints[name];
    this.writeInformation(103, headers, callback);
  },

  _implicitHeader() {
    this.writeHead(this.statusCode);
  },

  writeHead(given, reason, headers) {
    if (this._header) throw new ERR_HTTP_HEADERS_SENT('write');
    const code = given | 0;
    if (code < 100 || code > 999) throw new ERR_HTTP_INVALID_STATUS_CODE(given);
    if (typeof reason === 'string') {
      this.statusMessage = reason;
    } else {
      this.statusMessage ||= STATUS_CODES[code] || 'unknown';
      headers ??= reason;
    }
    this.statusCode = code;
    if (this[kOutHeaders] !== null) {
      merge(this, headers);
      headers = this[kOutHeaders];
    }
    if (this.statusMessage !== STATUS_CODES[code] && isBadValue(this.statusMessage)) throw new ERR_INVALID_CHAR('statusMessage');
    if (code === 204 || code === 304 || code < 200) this._hasBody = false;
    // A client that waits for "100 Continue" and gets something else may send a body all the same.
    if (this._expect_continue && !this._sent100) this.shouldKeepAlive = false;
    this._storeHeader(statusLine(code, this.statusMessage), headers);
    return this;
  },

  _finish() {
    observers.responseSent(this);
    call0(OutgoingMessage.prototype._finish, this);
  },
};
for (const name of each(Object.keys(methods))) {
  Object.defineProperty(proto, name, { __proto__: null, configurable: true, enumerable: true, writable: true, value: methods[name] });
}

module.exports = { ServerResponse, emitClose };
